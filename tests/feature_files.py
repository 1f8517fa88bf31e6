"""Three small datasets that use what `demo` does not: groups, sequences, strata, gaps, censoring, loss matrices.

`speech` has commonality indexes, missing values with reasons and censored ones; `river` an informative order,
a sequential prototask with attribute 0, transformations and a task with its own instances; `shapes` stratified
training sets, a loss matrix, an ordering of values in its prior, and losses with a no-guess penalty.
"""

SPEECH = """Title: Words spoken by nine people
Origin: artificial
Usage: development
Order: uninformative
Commonality indexes are present
Attributes:
 1 PITCH   u  [0,Inf) ? ?noisy   # Mean pitch in Hz
 2 LENGTH  u  [0,Inf)            # Length in ms; the recorder stops at 500
 3 WORD    u  yes no maybe       # The word that was spoken
"""
WORD = """Origin: artificial
Cases: all
Order: Random-order
Inputs: PITCH LENGTH
Targets: WORD
Test-Set-Size: 10
Training-Set-Sizes: 4 8
Test-Set-Selection: common
Maximum-Number-Of-Instances: 3
"""
WORD_PRIOR = "Dependency-Strength: LM\n1 NLMH real\n2 NLMH real\n3 NLMH nominal\n"

RIVER = """Title: Levels of a river, hour by hour
Origin: artificial
Usage: assessment
Order: informative
Attributes:
 1 LEVEL  u  (0,Inf)  # Level upstream in m
 2 RAIN   u  [0,Inf)  # Rain of the day in mm
 3 FLOW   u  (0,Inf)  # Flow in the town, in cubic meters a second
"""
FLOW = """Origin: artificial
Cases: all
Order: sequential
Maximum-Dependency-Range: 5
Inputs: 0 LEVEL RAIN
Targets: FLOW
Transformations: LEVEL log RAIN squeeze
Test-Set-Size: 15
Training-Set-Sizes: 10 20
Test-Set-Selection: common
Maximum-Number-Of-Instances: 4
"""
FLOW_PRIOR = "Dependency-Strength: MH\nDependency-Range: 5\n0 N integer\n1 MH real\n2 NLMH real\n3 LM real\n"
FLOW_INSTANCES = """# Two halves of the record, one for each instance
Instance: 0
Training: 1-15
Test: 21-30
Instance: 1
Training: 31-45
Test: 51-60
"""

SHAPES = """Title: Shapes on cards
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 SIZE   u  [0,Inf)             # Diameter in cm
 2 GRADE  u  poor fair good      # How well it was cut
 3 SHAPE  u  round square long   # The shape
"""
SHAPE = """Origin: artificial
Cases: all
Order: retain
Inputs: SIZE GRADE
Targets: SHAPE
Stratified: yes
Test-Set-Size: 12
Training-Set-Sizes: 3 6
Test-Set-Selection: common
Maximum-Number-Of-Instances: 4
"""
SHAPE_PRIOR = "1 NLMH real\n2 NLMH ordinal order=good,fair,poor\n3 NLMH nominal passive=long\n"
COSTS = "# guess: round square long, none; true: round square long\n0 1 4\n1 0 2\n2 1 0\n0.5 0.5 1\n"
SHAPE_OF = ("round", "square", "round", "long", "round", "square")


def speech_cases() -> str:
    """Nine speakers, four words each; two pitches are missing, two lengths are censored at 500."""
    words, lines = ("yes", "no", "maybe"), []
    for case in range(36):
        speaker = case // 4
        pitch = {5: "?", 22: "?noisy"}.get(case, f"{100 + speaker * 12 + case % 4}")
        length = "500:" if case in (9, 30) else f"{250 + (case * 37) % 200}"
        lines.append(f"{pitch} {length} {words[(case * 5 + speaker) % 3]} @{speaker + 1}")
    return "\n".join(lines) + "\n"


def speech_order() -> str:
    """Speakers in a random order, their cases together."""
    speakers = (4, 0, 7, 2, 8, 1, 5, 3, 6)
    return "".join(f"{4 * speaker + turn + 1}\n" for speaker in speakers for turn in (2, 0, 3, 1))


def river_cases() -> str:
    """Sixty hours; the flow follows the level."""
    lines = []
    for hour in range(60):
        level, rain = 1 + (hour * 7 % 24) / 8, hour * 11 % 17
        lines.append(f"{level:g} {rain} {level * level * 10 + rain / 4:g}")
    return "\n".join(lines) + "\n"


def shapes_cases() -> str:
    """Sixty cards: half of them round, a third square, a sixth long."""
    grades = ("poor", "fair", "good")
    lines = []
    for card in range(60):
        shape = SHAPE_OF[card % 6]
        lines.append(f"{3 + card * 7 % 11 + ('square long'.find(shape)) / 4:g} {grades[card % 3]} {shape}")
    return "\n".join(lines) + "\n"


def feature_files() -> dict[str, str]:
    """The three datasets, by path below a delve directory."""
    return {
        "data/speech/Dataset.spec": SPEECH,
        "data/speech/Dataset.data": speech_cases(),
        "data/speech/word/Prototask.spec": WORD,
        "data/speech/word/Random-order": speech_order(),
        "data/speech/word/std.prior": WORD_PRIOR,
        "data/river/Dataset.spec": RIVER,
        "data/river/Dataset.data": river_cases(),
        "data/river/flow/Prototask.spec": FLOW,
        "data/river/flow/std.prior": FLOW_PRIOR,
        "data/river/flow/std.15.instances": FLOW_INSTANCES,
        "data/shapes/Dataset.spec": SHAPES,
        "data/shapes/Dataset.data": shapes_cases(),
        "data/shapes/shape/Prototask.spec": SHAPE,
        "data/shapes/shape/std.prior": SHAPE_PRIOR,
        "data/shapes/shape/costs": COSTS,
    }
