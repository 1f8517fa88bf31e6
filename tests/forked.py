"""Commands without their imports: a process that has imported what they need forks one for each that is asked for.

`python -m tests.forked ADDRESS` starts it; then `python -IS tests/forked.py ADDRESS MODULE ARGUMENTS` runs a module
as `python -m` does, with the caller's directory, environment and streams."""

import os
import socket
import sys


def ask(address: str, module: str, arguments: list[str]) -> int:
    """Let the process at an address run a module; return its exit status."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        socket.send_fds(line, [b"."], [0, 1, 2])
        line.sendall(repr((module, arguments, os.getcwd(), dict(os.environ))).encode())
        line.shutdown(socket.SHUT_WR)
        return line.recv(1)[0]


def serve(address: str) -> None:
    """Import the whole library, say so, and fork until standard input ends."""
    import ast
    import contextlib
    import importlib
    import pkgutil
    import runpy
    import select

    import delvecore

    for module in pkgutil.walk_packages(delvecore.__path__, "delvecore."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    with socket.socket(socket.AF_UNIX) as place:
        place.bind(address)
        place.listen(100)
        print(flush=True)
        while place in select.select([place, sys.stdin], [], [])[0]:
            line, _ = place.accept()
            if os.fork():
                with contextlib.suppress(ChildProcessError):
                    while os.waitpid(-1, os.WNOHANG)[0]:
                        pass
                continue
            _, streams, *_ = socket.recv_fds(line, 1, 3)
            module, arguments, directory, environment = ast.literal_eval(line.makefile().read())
            if command := os.fork():
                status = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
                line.send(bytes([status % 256]))
                os._exit(0)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            line.close()
            place.close()
            os.chdir(directory)
            os.environ.clear()
            os.environ.update(environment)
            sys.argv[1:], sys.path[0] = arguments, directory
            runpy.run_module(module, run_name="__main__", alter_sys=True)
            return


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    else:
        sys.exit(ask(sys.argv[1], sys.argv[2], sys.argv[3:]))
