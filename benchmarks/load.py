"""How long do visitors wait who use the dashboard together, and how much memory do their sessions take?

Visitors are websocket clients that speak Streamlit's protocol: each asks for a page with other choices, as
the address has them, and waits until the script has run and all that it draws has arrived. What a browser
makes of it is the visitor's own time."""

import asyncio
import random
import time
from collections.abc import Iterable

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.results import Finding
from benchmarks.visitor import Dashboard, running_dashboard

__all__ = ["measure"]

SESSIONS, ACTS_A_MINUTE = 30, 10
P95_GOAL, MEMORY_GOAL = 1.0, 1500
MANY, MEMORY_OF_MANY = 200, 3000
PATIENCE = 120.0
SEED = 20261122
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
    "archive": ["", "level=0.9"],
    "tables": [""],
}
"""Which addresses visitors ask for, page by page."""
_NOTE = (
    "Websocket clients on the same two cores as the server, each acting {pace} times a minute for "
    "{minutes:g} minutes, after each address was asked for once: another page or other choices, until all of "
    "it has arrived; {acts:,} acts, {failed} failed. Load average at the end {load:.1f}."
)


class Visit:
    """A session: the connection, and which page it is on."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket

    async def act(self, page: str, query: str) -> float:
        """Ask for a page with these choices; return the seconds until all of it has arrived."""
        asked = BackMsg()
        asked.rerun_script.page_name = "" if page == "archive" else page
        asked.rerun_script.query_string = query
        start = time.perf_counter()
        await self.socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while True:
                message = ForwardMsg()
                message.ParseFromString(await self.socket.recv())
                if message.WhichOneof("type") == "script_finished":
                    status = message.script_finished
                    if status == ForwardMsg.FINISHED_SUCCESSFULLY:
                        return time.perf_counter() - start
                    raise RuntimeError(f"{page}?{query}: the script ended with {status}")


def measure(*, sessions: int = SESSIONS, minutes: float = 2.0, many: int = MANY) -> list[Finding]:
    """Let visitors use the dashboard of the shipped archive together; then open many sessions that rest."""
    with running_dashboard() as address:
        taken, failed = asyncio.run(_busy(address, sessions, minutes))
        memory = address.peak()
        findings = _findings(taken, failed, sessions, minutes, memory)
    with running_dashboard() as address:
        asyncio.run(_resting(address, many))
        resting = address.peak()
    goal = f"{MEMORY_OF_MANY} MB"
    what = f"{many} sessions open: memory"
    return [*findings, Finding(what, f"{resting:,.0f} MB", goal=goal, reached=resting < MEMORY_OF_MANY)]


def _findings(taken: list[float], failed: int, sessions: int, minutes: float, memory: float) -> list[Finding]:
    import os

    p50, p95, p99 = np.percentile(taken, (50, 95, 99))
    about = {"pace": ACTS_A_MINUTE, "minutes": minutes, "acts": len(taken), "failed": failed}
    note = _NOTE.format(**about, load=os.getloadavg()[0])
    what = f"{sessions} sessions at once"
    return [
        Finding(f"{what}: p50", f"{1000 * p50:.0f} ms", note=note),
        Finding(
            f"{what}: p95",
            f"{1000 * p95:.0f} ms",
            goal="1 s",
            reached=bool(p95 < P95_GOAL and not failed),
            note=note,
        ),
        Finding(f"{what}: p99", f"{1000 * p99:.0f} ms", note=note),
        Finding(
            f"{what}: memory", f"{memory:,.0f} MB", goal=f"{MEMORY_GOAL} MB", reached=memory < MEMORY_GOAL
        ),
    ]


def _connect(address: Dashboard) -> websockets.connect:
    return websockets.connect(
        f"ws{address.removeprefix('http')}/_stcore/stream", max_size=None, open_timeout=PATIENCE
    )


def _addresses() -> list[tuple[str, str]]:
    return [(page, query) for page, queries in CHOICES.items() for query in queries]


async def _busy(address: Dashboard, sessions: int, minutes: float) -> tuple[list[float], int]:
    """Return the seconds of all acts, and how many failed."""
    async with _connect(address) as socket:
        first = Visit(socket)
        for one in _addresses():
            await first.act(*one)
    chance = random.Random(SEED)
    plans = [chance.choices(_addresses(), k=round(ACTS_A_MINUTE * minutes)) for _ in range(sessions)]
    found = await asyncio.gather(
        *(_visit(address, plan, index / sessions) for index, plan in enumerate(plans))
    )
    acts = [one for visit in found for one in visit]
    return [seconds for seconds in acts if seconds is not None], sum(one is None for one in acts)


async def _visit(address: Dashboard, plan: Iterable[tuple[str, str]], offset: float) -> list[float | None]:
    """Act by the plan, at a steady pace; None for an act that failed."""
    pause = 60 / ACTS_A_MINUTE
    await asyncio.sleep(offset * pause)
    taken: list[float | None] = []
    async with _connect(address) as socket:
        visit = Visit(socket)
        for page, query in plan:
            started = time.perf_counter()
            try:
                taken.append(await visit.act(page, query))
            except (RuntimeError, TimeoutError):
                taken.append(None)
            await asyncio.sleep(max(0.0, pause - (time.perf_counter() - started)))
    return taken


async def _resting(address: Dashboard, many: int) -> None:
    """Open sessions, each of which looks at a page, and keep all of them until the last one has."""
    chance = random.Random(SEED)
    visits = []
    try:
        for page, query in chance.choices(_addresses(), k=many):
            socket = await _connect(address)
            visits.append(socket)
            await Visit(socket).act(page, query)
    finally:
        for socket in visits:
            await socket.close()
