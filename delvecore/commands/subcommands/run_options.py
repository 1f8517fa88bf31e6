"""The options of `delve run`, and which of them go together."""

__all__ = ["parse_run", "run_parser"]


def parse_run(arguments):
    """Return the options, checked; ends the program where they mean nothing."""
    parser = run_parser()
    options = parser.parse_args(arguments)
    fault = None if options.list else _fault(options)
    if fault:
        parser.error(fault)
    return options


def _fault(options):
    """Return what is wrong with the options, or None."""
    own = options.command or options.object
    if not options.words and not own:
        return "expected a METHOD; --list shows the methods"
    if options.command and options.object:
        return "expected --command or --object, found both; run them one after the other"
    if options.name and not own:
        return "--name: expected --command or --object, found neither"
    if (options.time_limit or options.targets) and not options.command:
        return f"{'--time-limit' if options.time_limit else '--targets'}: expected --command, found none"
    if options.time_limit is not None and not options.time_limit > 0:
        return f"--time-limit: expected a positive number of seconds, found {options.time_limit:g}"
    if options.workers is not None and options.scheduler:
        return "--workers: expected it without --scheduler, whose cluster has its own"
    if options.workers is not None and options.workers < 1:
        return f"--workers: expected at least 1, found {options.workers}"
    return None


def run_parser():
    """Return the parser."""
    from delvecore.commands.frame.manual_parser import ManualParser

    parser = ManualParser(
        prog="delve run",
        description="Apply learning methods to task instances, and write predictions and losses. "
        "Instances that are complete are left as they are, so an interrupted run goes on where it stopped.",
        epilog="Without --into, results go into the delve directory around the working directory, else into "
        "the first one of DELVE_PATH that can be written; into the archive that ships with this program "
        "only when it is named.",
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="METHOD... [PATH...]",
        help="names that --list shows, then tasks, prototasks or datasets: /demo/age/std.128, /demo, /; "
        "without any, those of the working directory, or all",
    )
    _add_own_methods(parser)
    parser.add_argument("--list", action="store_true", help="list the registered methods")
    parser.add_argument("--into", metavar="DELVE_DIRECTORY", help="the delve directory that results go into")
    _add_computers(parser)
    parser.add_argument(
        "--resume", action="store_true", help="leave complete instances as they are, which is the default"
    )
    parser.add_argument("--again", action="store_true", help="run complete instances too")
    parser.add_argument(
        "--keep",
        choices=("all", "predictions", "losses"),
        default="predictions",
        help="files to keep: data files, predictions and losses; the latter two (default); losses alone",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return parser


def _add_computers(parser):
    """Add the options for who computes."""
    parser.add_argument(
        "--workers",
        type=int,
        metavar="COUNT",
        help="how many processes compute (default: as many as there are cores); the results are the same",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of a running Dask cluster compute, whose scheduler has an address such as "
        "tcp://host:8786; the results are the same",
    )


def _add_own_methods(parser):
    """Add the options for methods that are not registered."""
    parser.add_argument(
        "--command",
        metavar="COMMAND",
        help="a program that is a method: it runs in a directory with train.N and test.N of an instance, and "
        "writes predictions there, such as cguess.N; DELVE_INSTANCE says N, DELVE_SEED a random seed",
    )
    parser.add_argument(
        "--object",
        metavar="MODULE:ATTRIBUTE",
        help="a Python object that is a method: it has fit and predict, or makes something that has",
    )
    parser.add_argument("--name", help="of that method (default: that of the program or attribute)")
    parser.add_argument(
        "--time-limit", type=float, metavar="SECONDS", help="how long the program may take for an instance"
    )
    parser.add_argument(
        "--targets",
        action="store_true",
        help="give the program targets.N too, the true targets of the test cases, which only the density "
        "that it predicts for them (lptarg.N) may depend on",
    )
