"""How long do visitors wait who use the dashboard together, and how much memory do their sessions take?

Visitors are websocket clients that speak Streamlit's protocol. Most of their acts change a control of the
page that they are on, alone or in its fragment; the others open a page by its address. An act ends when the
script has run and all that it draws has arrived. What a browser makes of it is the visitor's own time."""

import asyncio
import contextlib
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.results import Finding
from benchmarks.timing import run_command
from benchmarks.visitor import Dashboard, running_dashboard

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
        pace = f"each {60 / self.pause:.0f} acts a minute" if self.pause else "without pause"
        by = "" if self.servers == 1 else f", {self.servers} servers"
        return f"{self.sessions} sessions, {pace}{by}"


CROWDS = (
    *(Crowd(10, 6.0, 0.5, 3.0), Crowd(30, 6.0, 1.0), Crowd(10, 0.0), Crowd(30, 0.0)),
    *(Crowd(30, 6.0, 0.3, 3.0, servers=2), Crowd(10, 0.0, 0.5, servers=2), Crowd(30, 0.0, 1.5, servers=2)),
)
_PREPARE = """
from dashboard.server.preparation import Preparation

preparation = Preparation()
preparation.start()
preparation.wait()
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


def measure(*, minutes: float = 1.5, crowds: Sequence[Crowd] = CROWDS, many: int = MANY) -> list[Finding]:
    """Let visitors use the dashboard of the shipped archive together; then open many sessions that rest."""
    findings = []
    with tempfile.TemporaryDirectory() as cache:
        run_command([sys.executable, "-c", _PREPARE], env={**os.environ, "XDG_CACHE_HOME": cache})
        for crowd in crowds:
            with contextlib.ExitStack() as stack:
                servers = [stack.enter_context(running_dashboard(cache=cache)) for _ in range(crowd.servers)]
                acts = asyncio.run(_crowd(servers, crowd, minutes=minutes))
                memory = sum(address.peak() for address in servers)
                findings += _findings(crowd, acts, minutes, memory)
        with running_dashboard(cache=cache) as address:
            findings.append(_steady(address))
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


def _steady(address: Dashboard) -> Finding:
    """How does memory grow while few visitors do the same things again and again?"""
    crowd = Crowd(4, 0.0)
    asyncio.run(_crowd([address], crowd, acts=STEADY_ACTS // 8))
    first = address.peak()
    asyncio.run(_crowd([address], crowd, acts=STEADY_ACTS // 8))
    ratio = address.peak() / first
    what = f"memory after {STEADY_ACTS:,} acts, of that after {STEADY_ACTS // 2:,}"
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
    found = await asyncio.gather(*(_visit(address, crowd, each, end, acts) for each, address in each_at))
    return [act for visit in found for act in visit]


async def _visit(address: Dashboard, crowd: Crowd, each: int, end: float, most: float) -> list[Act]:
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
    """Open sessions, each of which looks at a page, and keep all of them until the last one has."""
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


if __name__ == "__main__":
    from benchmarks.run import main

    raise SystemExit(main(["load", *sys.argv[1:]]))
