"""A hosted dashboard: visitors at the same time, and attacks.

Visitors are websocket clients that speak Streamlit's protocol. Most of their acts change a control of the
page, alone or in its fragment; the others open a page by its address. An act ends when the script has run
and all output has arrived. The attacks go by the web and at files, through nginx with TLS, a prefix and a
token, by the documented settings, while other visitors act."""

import argparse
import asyncio
import contextlib
import grp
import http.client
import io
import itertools
import os
import pwd
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.support import Finding, machine_facts, run_command, section_of
from benchmarks.visitor import Dashboard, running_dashboard

# Visitors at the same time


MEMORY_GOAL = 1500
MANY, MEMORY_OF_MANY = 200, 3000
STEADY_ACTS, STEADY_GROWTH = 2000, 1.1
PATIENCE = 120.0
SEED = 20261122
UNFINISHED = "This page could not be finished"
"""How a page begins its message that files went away below it."""
SHARE_OF_CONTROLS = 0.75
"""How many of all acts change a control."""
CHOICES = {
    "compare": [
        f"task=/{member}/{prototask}/std.{size}"
        for member, prototask in (("demo", "age"), ("kin-8nm", "dist"), ("bank-8fm", "rejprop"))
        for size in (64, 128, 256)
    ],
    "task_arrays": [f"array={name}" for name in ("kin", "pumadyn", "bank")],
    "ranking": ["", "control=lin-1", "unit=task", "level=0.9"],
    "methods": ["", "method=gp-1", "method=rf-1", "method=lin-1"],
    "datasets": ["", "dataset=demo", "dataset=wine", "dataset=kin-8nm"],
    "leaderboard": ["", "level=0.9"],
    "tables": [""],
}
"""Which addresses visitors ask for, page by page."""


@dataclass(frozen=True)
class Crowd:
    """Visitors together. pause: seconds from one act to the next; 0: each acts again at once. goal: seconds
    that 95 % of the acts may take, None for no goal; most: seconds that any may take; servers: how many serve
    them, as `docs/hosting.md` says for many visitors."""

    sessions: int
    pause: float
    goal: float | None = None
    most: float = np.inf
    servers: int = 1

    @property
    def title(self) -> str:
        pace = f"{60 / self.pause:.0f} actions a minute each" if self.pause else "without pause"
        by = "" if self.servers == 1 else f", {self.servers} servers"
        return f"{self.sessions} sessions, {pace}{by}"


CROWDS = (
    *(Crowd(10, 6.0, 0.5, 3.0), Crowd(30, 6.0, 1.0), Crowd(10, 0.0), Crowd(30, 0.0)),
    *(Crowd(30, 6.0, 0.3, 3.0, servers=2), Crowd(10, 0.0, 0.5, servers=2), Crowd(30, 0.0, 1.5, servers=2)),
)
_PREPARE = """
from dashboard.server.archive import prepare

prepare()
"""
"""What a server does once in an archive: it is read, and its metrics are computed."""
_NOTE = (
    "Websocket clients on the same two cores as the server, whose cache of the archive and its metrics is "
    "there and nothing else: {acts:,} acts in {minutes:g} minutes, {controls:,} of them changes of a "
    "control, {failed} failed. "
    "Slowest: {slowest}. Load average at the end {load:.1f}."
)


@dataclass(frozen=True)
class Act:
    """What a visitor did, and the seconds until all of it had arrived; NaN where it failed."""

    what: str
    seconds: float
    is_control: bool


@dataclass
class Visit:
    """A session: the connection, its address, and the controls of the page that it is on."""

    socket: websockets.ClientConnection
    chance: random.Random
    page: str = ""
    query: str = ""
    controls: dict[str, tuple[Element, str]] = field(default_factory=dict)
    messages: dict[str, ForwardMsg] = field(default_factory=dict)
    has_failed: bool = False
    """Does what is drawn show an exception? Streamlit tells a run that ended so as successful."""

    async def open(self, page: str, query: str) -> Act:
        """Ask for a page by its address."""
        self.page, self.query = "" if page == "leaderboard" else page, query
        return await self._ask(f"{page}?{query}")

    async def change(self) -> Act | None:
        """Change a control at random; None where the page has none."""
        if not self.controls:
            return None
        element, fragment = self.chance.choice(list(self.controls.values()))
        control = getattr(element, element.WhichOneof("type"))
        state = _other_state(element, self.chance)
        what = f"{self.page or 'leaderboard'}: {control.label or control.id.split('-')[-1]}"
        return await self._ask(what, state=state, fragment=fragment)

    async def act(self) -> Act:
        """Change a control, or open another page."""
        act = await self.change() if self.chance.random() < SHARE_OF_CONTROLS else None
        return act or await self.open(*self.chance.choice(_addresses()))

    async def _ask(self, what: str, *, state: WidgetState | None = None, fragment: str = "") -> Act:
        asked = BackMsg()
        asked.rerun_script.page_name = self.page
        asked.rerun_script.query_string = self.query
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.cached_message_hashes.extend(self.messages)
        if state is not None:
            asked.rerun_script.widget_states.widgets.append(state)
        self.has_failed = False
        start = time.perf_counter()
        await self.socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while True:
                message = ForwardMsg()
                message.ParseFromString(await self.socket.recv())
                finished = self._take(message)
                if finished:
                    return Act(what, time.perf_counter() - start, state is not None)
                if finished is False:
                    return Act(what, np.nan, state is not None)

    def _take(self, message: ForwardMsg) -> bool | None:
        """Keep what a message says; has the script ended well (True), badly (False), or not yet (None)?"""
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            path = list(message.metadata.delta_path)
            message = self.messages[message.ref_hash]
            message.metadata.delta_path[:] = path
            kind = message.WhichOneof("type")
        elif message.metadata.cacheable:
            self.messages[message.hash] = message
        if kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "new_session" and not message.metadata.run.fragment_ids:
            self.controls = {}
        elif kind == "stop_auto_rerun":
            # Fragments that a fragment no longer draws: a browser has removed their controls.
            gone = set(message.stop_auto_rerun.fragment_ids)
            self.controls = {name: one for name, one in self.controls.items() if one[1] not in gone}
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            self.has_failed = self.has_failed or _tells_failure(element)
            if _has_choice(element):
                control = getattr(element, element.WhichOneof("type"))
                self.controls[control.id] = element, message.delta.fragment_id
        elif kind == "script_finished":
            ended = message.script_finished
            well = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
            # A page that runs itself again ends one run early, and begins the next at once.
            return (
                None
                if ended == ForwardMsg.FINISHED_EARLY_FOR_RERUN
                else ended in well and not self.has_failed
            )
        return None


def _tells_failure(element: Element) -> bool:
    """Is this an exception, or the message of a page that could not be finished?"""
    return element.WhichOneof("type") == "exception" or (
        element.WhichOneof("type") == "alert" and element.alert.body.startswith(UNFINISHED)
    )


def _has_choice(element: Element) -> bool:
    match element.WhichOneof("type"):
        case "selectbox":
            return len(element.selectbox.options) > 1 and not element.selectbox.disabled
        case "button_group":
            return len(element.button_group.options) > 1 and not element.button_group.disabled
        case "multiselect":
            return len(element.multiselect.options) > 1 and not element.multiselect.disabled
        case "checkbox":
            return not element.checkbox.disabled
    return False


def _other_state(element: Element, chance: random.Random) -> WidgetState:
    """A value of a control at random."""
    kind = element.WhichOneof("type")
    control = getattr(element, kind)
    state = WidgetState(id=control.id)
    if kind == "checkbox":
        state.bool_value = chance.random() < 0.5
    elif kind == "selectbox":
        state.string_value = chance.choice(list(control.options))
    elif kind == "button_group":
        state.string_array_value.data[:] = [chance.choice([one.content for one in control.options])]
    else:
        state.string_array_value.data[:] = chance.sample(list(control.options), 2)
    return state


def measure_load(
    *, minutes: float = 1.5, crowds: int = len(CROWDS), acts: int = STEADY_ACTS, many: int = MANY
) -> list[Finding]:
    """Let visitors use the dashboard of the shipped archive together; then open many sessions that rest."""
    findings = []
    with tempfile.TemporaryDirectory() as cache:
        run_command([sys.executable, "-c", _PREPARE], env={**os.environ, "XDG_CACHE_HOME": cache})
        for crowd in CROWDS[:crowds]:
            with contextlib.ExitStack() as stack:
                servers = [stack.enter_context(running_dashboard(cache=cache)) for _ in range(crowd.servers)]
                seen = asyncio.run(_crowd(servers, crowd, minutes=minutes))
                memory = sum(address.peak() for address in servers)
                findings += _findings(crowd, seen, minutes, memory)
        with running_dashboard(cache=cache) as address:
            findings.append(_steady(address, acts))
    with running_dashboard() as address:
        asyncio.run(_resting(address, many))
        resting = address.peak()
    goal = f"{MEMORY_OF_MANY} MB"
    what = f"{many} sessions open: memory"
    return [*findings, Finding(what, f"{resting:,.0f} MB", goal=goal, reached=resting < MEMORY_OF_MANY)]


def _findings(crowd: Crowd, acts: Sequence[Act], minutes: float, memory: float) -> list[Finding]:
    seconds = np.array([act.seconds for act in acts])
    failed = int(np.isnan(seconds).sum())
    p50, p95, p99, most = (np.nanpercentile(seconds, share) for share in (50, 95, 99, 100))
    slowest = sorted(acts, key=lambda act: -np.nan_to_num(act.seconds))[:5]
    note = _NOTE.format(
        acts=len(acts),
        minutes=minutes,
        controls=sum(act.is_control for act in acts),
        failed=failed,
        slowest="; ".join(f"{act.what} {act.seconds:.1f} s" for act in slowest),
        load=os.getloadavg()[0],
    )
    goal = "" if crowd.goal is None else f"{crowd.goal:g} s"
    reached = None if crowd.goal is None else bool(p95 < crowd.goal and most < crowd.most and not failed)
    return [
        Finding(f"{crowd.title}: p50", f"{1000 * p50:.0f} ms", note=note),
        Finding(f"{crowd.title}: p95", f"{1000 * p95:.0f} ms", goal=goal, reached=reached, note=note),
        Finding(f"{crowd.title}: p99", f"{1000 * p99:.0f} ms", note=note),
        Finding(f"{crowd.title}: slowest act", f"{most:.1f} s", note=note),
        Finding(
            f"{crowd.title}: memory",
            f"{memory:,.0f} MB",
            goal=f"{MEMORY_GOAL} MB",
            reached=memory < MEMORY_GOAL,
        ),
    ]


def _steady(address: Dashboard, acts: int) -> Finding:
    """How does memory grow while few visitors do the same things again and again?"""
    crowd = Crowd(4, 0.0)
    asyncio.run(_crowd([address], crowd, acts=acts // 8))
    first = address.peak()
    asyncio.run(_crowd([address], crowd, acts=acts // 8))
    ratio = address.peak() / first
    what = f"memory after {acts:,} acts, of that after {acts // 2:,}"
    return Finding(what, f"{ratio:.2f}", goal=f"{STEADY_GROWTH}", reached=ratio <= STEADY_GROWTH)


def _connect(address: Dashboard) -> websockets.connect:
    return websockets.connect(
        f"ws{address.removeprefix('http')}/_stcore/stream", max_size=None, open_timeout=PATIENCE
    )


def _addresses() -> list[tuple[str, str]]:
    return [(page, query) for page, queries in CHOICES.items() for query in queries]


async def _crowd(
    servers: Sequence[Dashboard], crowd: Crowd, *, minutes: float = np.inf, acts: float = np.inf
) -> list[Act]:
    """Let all visitors act until the time, or the number of acts of each, is over."""
    end = time.perf_counter() + 60 * minutes
    each_at = zip(range(crowd.sessions), itertools.cycle(servers), strict=False)
    visits = await asyncio.gather(
        *(_visit_load(address, crowd, each, end, acts) for each, address in each_at)
    )
    return [act for visit in visits for act in visit]


async def _visit_load(address: Dashboard, crowd: Crowd, each: int, end: float, most: float) -> list[Act]:
    await asyncio.sleep(each / crowd.sessions * crowd.pause)
    done: list[Act] = []
    async with _connect(address) as socket:
        visit = Visit(socket, random.Random(SEED + each))
        while time.perf_counter() < end and len(done) < most:
            started = time.perf_counter()
            try:
                done.append(await visit.act())
            except TimeoutError:
                done.append(Act(visit.page, np.nan, False))
            await asyncio.sleep(max(0.0, crowd.pause - (time.perf_counter() - started)))
    return done


async def _resting(address: Dashboard, many: int) -> None:
    """Open sessions that each look at a page, and keep all of them until the last one has."""
    chance = random.Random(SEED)
    visits = []
    try:
        for page, query in chance.choices(_addresses(), k=many):
            socket = await _connect(address)
            visits.append(socket)
            await Visit(socket, chance).open(page, query)
    finally:
        for socket in visits:
            await socket.close()


# Attacks


NAME, PREFIX, TOKEN = "delve.example.org", "/delve", "a-token-of-24-characters"
VISITORS, PAUSE = 4, 0.25
METHODS, DATASETS = 20, 250
PAGES = ("leaderboard", "compare", "ranking", "methods", "datasets")
SETTINGS = Path(__file__).parents[1] / "docs" / "hosting" / "nginx.conf"
_MAIN = """user {user} {group};
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    include {directory}/delve.conf;
}}
"""
_WITHOUT_CHECK = ssl.create_default_context()
_WITHOUT_CHECK.check_hostname, _WITHOUT_CHECK.verify_mode = False, ssl.CERT_NONE


def find_nginx() -> str | None:
    """Return the path of nginx, None where it or openssl is not here."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    return nginx if shutil.which("openssl") else None


@contextlib.contextmanager
def running_nginx(nginx: str, directory: Path, server: int, plain: int, port: int) -> Iterator[None]:
    """Run nginx with the documented settings before the dashboard at port `server`; plain, port: where nginx
    listens, without TLS and with it."""
    asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    files = ["-keyout", str(directory / "delve.key"), "-out", str(directory / "delve.pem")]
    subprocess.run([*asked, *files], check=True, capture_output=True)
    text = SETTINGS.read_text(encoding="utf-8")
    for documented, here in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("https://$host$request_uri", f"https://$host:{port}$request_uri"),
        ("/etc/ssl/certs/delve.pem", str(directory / "delve.pem")),
        ("/etc/ssl/private/delve.key", str(directory / "delve.key")),
        ("server 127.0.0.1:8501;", f"server 127.0.0.1:{server};"),
    ):
        if documented not in text:
            raise ValueError(f"{SETTINGS.name}: expected {documented!r}")
        text = text.replace(documented, here)
    (directory / "delve.conf").write_text(text)
    # The directory may be open to this user alone.
    user, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
    (directory / "nginx.conf").write_text(_MAIN.format(directory=directory, user=user, group=group))
    proxy = subprocess.Popen([nginx, "-c", str(directory / "nginx.conf"), "-g", "daemon off;"])
    try:
        _wait_for(port)
        yield
    finally:
        proxy.terminate()
        proxy.wait(30)


def _wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        time.sleep(0.1)
    raise TimeoutError("nginx does not listen")


@dataclass
class Site:
    """A dashboard below the prefix, with the token. port: where visitors come; pid: of the server; directory:
    with a table of scores that it serves, and its cache; has_tls: is it behind nginx?; cookies: of a visitor
    who has signed in."""

    port: int
    pid: int
    directory: Path
    has_tls: bool = True
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        return self.directory / "scores.csv"

    @property
    def cache(self) -> Path:
        return self.directory / "cache"

    @property
    def headers(self) -> dict[str, str]:
        """What a browser of a visitor who has signed in sends."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        origin = f"{'https' if self.has_tls else 'http'}://{NAME}:{self.port}"
        return {"Host": f"{NAME}:{self.port}", "Origin": origin, "Cookie": cookies}

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        """Return the status of the answer; the cookies in it are kept."""
        place: dict[str, Any] = {"host": "127.0.0.1", "port": self.port, "timeout": 60}
        tls, plain = http.client.HTTPSConnection, http.client.HTTPConnection
        connection = tls(**place, context=_WITHOUT_CHECK) if self.has_tls else plain(**place)
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request(method, f"{PREFIX}{path}", body, sent)
        answer = connection.getresponse()
        answer.read()
        for cookie in answer.headers.get_all("set-cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return answer.status

    def sign_in(self) -> None:
        """Sign in by the form, as the printed address does, and get the cookie that uploads need."""
        self._post(TOKEN)
        self.ask("GET", "/_stcore/health")

    def _post(self, token: str) -> int:
        return self.ask("POST", "/", b"", Authorization=f"Bearer {token}")

    def guess(self) -> int:
        """Return the answer to a wrong token of somebody who has not signed in."""
        return replace(self, cookies={})._post("a-wrong-token-of-many")

    def upload(self, path: str, content: bytes, name: str = "x.csv") -> int:
        """Return the answer to a file that is sent to an address of uploads."""
        head = f'--b\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'.encode()
        headers = {"Content_Type": "multipart/form-data; boundary=b"}
        headers["X_Xsrftoken"] = self.cookies.get("_streamlit_xsrf", "")
        return self.ask("PUT", path.removeprefix(PREFIX), head + content + b"\r\n--b--\r\n", **headers)

    def connect(self) -> websockets.connect:
        headers = self.headers
        origin = headers.pop("Origin")
        del headers["Host"]
        return websockets.connect(
            f"{'wss' if self.has_tls else 'ws'}://{NAME}:{self.port}{PREFIX}/_stcore/stream",
            host="127.0.0.1",
            port=self.port,
            ssl=_WITHOUT_CHECK if self.has_tls else None,
            origin=origin,
            additional_headers=headers,
            max_size=None,
            open_timeout=PATIENCE,
        )


def score_table(loss: int) -> bytes:
    """A table of scores, whose errors are about the same: 0.1 for the loss 1."""
    rows = (
        f"dataset-{d},method-{m},0.{loss}{(d * 7 + m * 3) % 100:02d}\n"
        for d in range(DATASETS)
        for m in range(METHODS)
    )
    return ("dataset,method,error\n" + "".join(rows)).encode()


def bomb() -> bytes:
    """A small Excel file that unpacks to more than may be read."""
    import openpyxl

    buffer = io.BytesIO()
    book = openpyxl.Workbook()
    book.active.append(["dataset", "method", "error"])
    book.save(buffer)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/large.xml", b" " * (129 << 20))
    return buffer.getvalue()


def file_attacks(site: Site, chance: random.Random) -> list[Callable[[], None]]:
    """What other programs may do to the source and to the cache while both are in use."""
    contents = [score_table(loss) for loss in range(1, 4)]

    def rewrite() -> None:
        site.source.write_bytes(chance.choice(contents))

    def cut() -> None:
        rewrite()
        os.truncate(site.source, 0)

    def remove() -> None:
        site.source.unlink(missing_ok=True)

    def remove_cache() -> None:
        shutil.rmtree(site.cache, ignore_errors=True)

    def replace_cache() -> None:
        for path in [*site.cache.rglob("*.arrow"), *site.cache.rglob("manifest.json")]:
            beside = path.with_suffix(".copy")
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(path, beside)
                beside.replace(path)

    return [rewrite, rewrite, cut, remove, remove_cache, replace_cache]


@dataclass
class Outcome:
    """acts: of the other visitors; answers: to attacks, and how often; lives: does the server go on?;
    changes: of files; memory: the most that the server had, in megabytes."""

    acts: list[Act]
    answers: dict[str, Counter[object]]
    lives: bool
    changes: int
    memory: float

    @property
    def p95(self) -> float:
        """Seconds within which 95 % of the acts of others were answered."""
        return float(np.percentile([act.seconds for act in self.acts], 95))

    @property
    def failed(self) -> list[str]:
        return [act.what for act in self.acts if np.isnan(act.seconds)]


def attacked(site: Site, *, changes: int, uploads: int = 30, seed: int = 1) -> Outcome:
    """Attack a site by the web and at its files, while other visitors act. changes: of files."""
    return asyncio.run(_attacked(site, changes, uploads, seed))


async def _attacked(site: Site, changes: int, uploads: int, seed: int) -> Outcome:
    answers: dict[str, Counter[object]] = {}
    over = asyncio.Event()
    visits = [asyncio.create_task(_visit_hosted(site, number, over)) for number in range(VISITORS)]
    try:
        await asyncio.gather(
            _change_files(site, changes, random.Random(seed)), _attack_by_web(site, uploads, answers)
        )
    finally:
        over.set()
    acts = [act for visit in visits for act in await visit]
    lives = site.ask("GET", "/_stcore/health") == 200
    server = Dashboard("")
    server.pid = site.pid
    return Outcome(acts, answers, lives, changes, server.peak())


async def _visit_hosted(site: Site, number: int, over: asyncio.Event) -> list[Act]:
    """Open pages and change their controls until the attacks are over."""
    done, chance = list[Act](), random.Random(number)
    async with site.connect() as socket:
        visit = Visit(socket, chance)
        while not over.is_set():
            # A page that is run again while files change may have lost a part whose control is known.
            visit.controls = {name: one for name, one in visit.controls.items() if not one[1]}
            act = await visit.change() if chance.random() < 0.5 else None
            done.append(act or await visit.open(chance.choice(PAGES), ""))
            await asyncio.sleep(PAUSE)
    return done


async def _change_files(site: Site, changes: int, chance: random.Random) -> None:
    done = file_attacks(site, chance)
    for _ in range(changes):
        await asyncio.to_thread(chance.choice(done))
        await asyncio.sleep(chance.random() / 2)
    site.source.write_bytes(score_table(1))


async def _attack_by_web(site: Site, uploads: int, answers: dict[str, Counter[object]]) -> None:
    """Guess tokens, empty the caches of all, send files without end and an Excel file that is too large."""
    answers["guessed tokens: 20 at once"] = Counter([await asyncio.to_thread(site.guess) for _ in range(20)])
    async with site.connect() as socket:
        visit = Visit(socket, random.Random(0))
        await visit.open("add_data", "")
        for asked in (BackMsg(clear_cache=True), BackMsg(debug_shutdown_runtime=True)):
            await socket.send(asked.SerializeToString())
        path = await _upload_address(socket)
        folder, content = path.rpartition("/")[0], bytes(19 << 20)
        statuses = [
            await asyncio.to_thread(site.upload, f"{folder}/{number}", content) for number in range(uploads)
        ]
        answers["uploads: 30 files of 19 MB that no page asks for"] = Counter(statuses)
    answers["uploads: an Excel file that unpacks to 129 MB"] = Counter([await _send_bomb(site)])


async def _send_bomb(site: Site) -> str:
    """Send an Excel file that is too large, again where the page takes none: its source is away meanwhile."""
    said = ""
    for _ in range(60):
        async with site.connect() as socket:
            said = await Sender(socket, random.Random(0)).send(site, "bomb.xlsx", bomb())
        if "128 MB" in said:
            return "refused"
        await asyncio.sleep(1)
    return said


async def _upload_address(socket: websockets.ClientConnection) -> str:
    """Return an address of this session to which a page would send a file."""
    asked = BackMsg()
    asked.file_urls_request.request_id = "1"
    asked.file_urls_request.file_names.append("x.xlsx")
    await socket.send(asked.SerializeToString())
    async with asyncio.timeout(PATIENCE):
        while True:
            message = ForwardMsg.FromString(await socket.recv())
            if message.WhichOneof("type") == "file_urls_response":
                return urlsplit(message.file_urls_response.file_urls[0].upload_url).path


@dataclass
class Sender(Visit):
    """A visit that keeps what its page says, and where it takes files."""

    uploader: str = ""
    said: list[str] = field(default_factory=list)

    def _take(self, message: ForwardMsg) -> bool | None:
        if message.WhichOneof("type") == "delta":
            element = message.delta.new_element
            self.uploader = element.file_uploader.id or self.uploader
            self.said.append(str(element))
        return super()._take(message)

    async def send(self, site: Site, name: str, content: bytes) -> str:
        """Give a file to the Add data page; return what the page says of it."""
        self.uploader = ""
        await self.open("add_data", "")
        if not self.uploader:
            return "the page takes no files now"
        path = await _upload_address(self.socket)
        status = await asyncio.to_thread(site.upload, path, content, name)
        if status != 204:
            raise OSError(f"the file was answered with {status}")
        state = WidgetState(id=self.uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = path.rpartition("/")[2], name, len(content)
        info.file_urls.file_id, info.file_urls.upload_url = info.file_id, path
        self.said.clear()
        await self._ask("add_data: a file", state=state)
        return " ".join(self.said)


@contextlib.contextmanager
def running_site(nginx: str, directory: Path) -> Iterator[Site]:
    """Serve a table of scores behind nginx, with settings of others in the working directory."""
    source = directory / "scores.csv"
    source.write_bytes(score_table(1))
    (directory / ".streamlit").mkdir()
    (directory / ".streamlit" / "config.toml").write_text('[server]\nport = 1\nsslCertFile = "none.pem"\n')
    (directory / ".streamlit" / "secrets.toml").write_text('[auth]\ncookie_secret = "of-others"\n')
    server, plain, port = _free_port(), _free_port(), _free_port()
    words = f"dashboard --no-browser --port {server} --base-path {PREFIX} --trusted-host {NAME}"
    words += " --trusted-proxy 127.0.0.1 --token"
    environment = {**os.environ, "DELVE_TOKEN": TOKEN, "XDG_CACHE_HOME": str(directory / "cache")}
    environment["PYTHONPATH"] = str(SETTINGS.parents[2])
    process = subprocess.Popen(
        [sys.executable, "-m", "delvecore.cli.delve", *words.split(), str(source)],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
    )
    try:
        if not process.stdout or not process.stdout.readline():
            raise OSError("the dashboard did not start")
        with running_nginx(nginx, directory, server, plain, port):
            site = Site(port, process.pid, directory)
            site.sign_in()
            yield site
    finally:
        process.terminate()
        process.wait(60)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


PAGE = SETTINGS.parents[1] / "reliability.md"
START, END = "<!-- figures: python -m benchmarks hosted --write -->", "<!-- end of figures -->"
CHANGES = 200
NONE = "none known to us"
BESIDE = {
    "changed files": (
        "a reader sees the state of its transaction [3]",
        "reads again at each request; a file promised not to change is not watched [4]",
        "left to each user",
    ),
    "others' wait": ("no server", "a query ends after one second [7]", "limits by user, where enforced [8]"),
    "guessed tokens": ("no server", "by plugin and configuration", NONE),
    "uploads": ("limits on lengths [6]", "an answer has at most 1,000 rows [7]", "limits by user [8]"),
    "stop": ("no server", NONE, "users' servers can go on while the hub restarts [5]"),
    "fuzzing": ("about a billion inputs a day [2]", NONE, NONE),
    "visitors at once": ("no server", NONE, "limits by user [8]"),
}
"""What SQLite, datasette and JupyterHub promise of the same; numbers name the sources of the page."""


def measure_hosted(*, changes: int = CHANGES, seconds: float = 60.0) -> list[Finding]:
    """Attack a site, stop it, and search for inputs that break a parser. seconds: for each parser."""
    from tests.reliability.coverage_guided import PARSERS

    nginx = find_nginx()
    if nginx is None:
        raise FileNotFoundError("nginx and openssl: Debian has both (apt-get install nginx-light openssl)")
    with tempfile.TemporaryDirectory() as directory, running_site(nginx, Path(directory)) as site:
        outcome = attacked(site, changes=changes)
        stop = asyncio.run(_stop(site))
    return [
        *_attack_findings(outcome),
        Finding("stop: from SIGTERM to exit", f"{stop:.1f} s"),
        *(_searched(name, seconds) for name in PARSERS),
    ]


def _attack_findings(outcome: Outcome) -> list[Finding]:
    lived = f"{outcome.changes} of {outcome.changes}" if outcome.lives else "the server ended"
    waited = (
        f"{1000 * outcome.p95:.0f} ms; {len(outcome.acts)} acts, {len(outcome.failed)} failed; "
        f"goal 1 s; load average then {os.getloadavg()[0]:.1f}"
    )
    answers = [
        Finding(what, ", ".join(f"{count} x {answer}" for answer, count in finding.items()))
        for what, finding in outcome.answers.items()
    ]
    return [
        Finding(
            "changed files: changes of a source and of the cache in use that the server survived",
            lived,
            reached=outcome.lives,
        ),
        Finding(
            "others' wait: time within which 95 % of the actions of four other visitors were answered",
            waited,
            goal="1 s",
            reached=outcome.p95 < 1,
        ),
        *answers,
        Finding("uploads: peak memory of the server meanwhile", f"{outcome.memory:,.0f} MB"),
    ]


async def _stop(site: Site) -> float:
    """Return the seconds from SIGTERM to the end of the server, while visitors look at pages."""
    async with site.connect() as first, site.connect() as second:
        for one in (first, second):
            await Visit(one, random.Random(0)).open("compare", "")
        start = time.perf_counter()
        os.kill(site.pid, signal.SIGTERM)
        while _runs(site.pid):
            await asyncio.sleep(0.02)
        return time.perf_counter() - start


def _runs(pid: int) -> bool:
    """Does a child of this process still run, which nobody has waited for?"""
    with open(f"/proc/{pid}/stat") as told:
        return told.read().rpartition(")")[2].split()[0] != "Z"


def _searched(name: str, seconds: float) -> Finding:
    """Search for inputs that break a parser."""
    from tests.reliability.coverage_guided import search

    end, tried = time.monotonic() + seconds, 0

    def goes_on(count: int) -> bool:
        nonlocal tried
        tried = count
        return time.monotonic() < end

    errors = [error for _, error in search(name, goes_on)]
    said = f"{tried:,} inputs, {errors.count(None)} of them reached new lines"
    broken = len(errors) - errors.count(None)
    return Finding(f"fuzzing: {name}", f"{said}, {broken} broke it" if broken else said)


def load_findings() -> list[Finding]:
    """Return the figures of visitors at once that `python -m benchmarks load --write` wrote."""
    rows = [line.strip("| ").split(" | ") for line in section_of("load").splitlines()]
    return [
        Finding(f"visitors at once: {row[0].partition(' [')[0]}", row[1])
        for row in rows
        if len(row) > 1 and "sessions" in row[0] and row[0].partition(" [")[0].endswith(("p95", "memory"))
    ]


def figures(findings: Sequence[Finding]) -> str:
    """Return the table of the page: each figure beside what others promise."""
    lines = ["| figure | measured here | SQLite | datasette | JupyterHub |", "|---|---|---|---|---|"]
    told = set[str]()
    for finding in findings:
        kind = finding.what.partition(": ")[0]
        beside = ("", "", "") if kind in told else BESIDE[kind]
        told.add(kind)
        lines.append("| " + " | ".join([finding.what, finding.measured, *beside]) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Print the table; with `--write` put it into docs/reliability.md. Returns 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hosted", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}, too")
    parser.add_argument("--changes", type=int, default=CHANGES, help="of files (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each parser (default: %(default)s)")
    options = parser.parse_args(arguments)
    facts = f"Measured on {datetime.now(UTC).date()}, {machine_facts()[0]}."
    findings = measure_hosted(changes=options.changes, seconds=options.seconds)
    table = f"{facts}\n\n{figures([*findings, *load_findings()])}"
    print(table)
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{START}\n\n{table}\n\n{END}{after}", encoding="utf-8")
    return 1 if any(finding.reached is False for finding in findings) else 0
