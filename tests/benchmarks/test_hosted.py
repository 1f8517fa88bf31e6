"""What the benchmark of many visitors counts as an act that failed."""

import asyncio
import random

import numpy as np
import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.hosted import Visit

pytestmark = pytest.mark.slow


class Socket:
    """A connection whose server draws one element and says that the run ended well."""

    def __init__(self, draw):
        self.draw, self.messages = draw, []

    async def send(self, _data):
        drawn, ended = ForwardMsg(), ForwardMsg()
        self.draw(drawn.delta.new_element)
        ended.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
        self.messages = [drawn.SerializeToString(), ended.SerializeToString()]

    async def recv(self):
        return self.messages.pop(0)


def draw_exception(element):
    element.exception.message = "division by zero"


def draw_unfinished(element):
    element.alert.body = "This page could not be finished: files of the archive changed."


def draw_remark(element):
    element.alert.body = "3 problems found in the files."


@pytest.mark.parametrize(
    ("draw", "is_failure"), [(draw_exception, True), (draw_unfinished, True), (draw_remark, False)]
)
def test_a_page_that_shows_an_exception_is_a_failed_act(draw, is_failure):
    visit = Visit(Socket(draw), random.Random(1))
    act = asyncio.run(visit.open("compare", ""))
    assert np.isnan(act.seconds) == is_failure
    visit.socket.draw = draw_remark
    assert not np.isnan(asyncio.run(visit.open("compare", "")).seconds)
