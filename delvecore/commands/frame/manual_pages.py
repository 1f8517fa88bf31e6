"""What the manual pages say beyond usage and options: files, examples, exit statuses. Source: appendix C."""

from collections import namedtuple

__all__ = ["ENVIRONMENT", "PAGES", "STATUSES", "Page"]

STATUSES = (
    ("0", "All went well."),
    ("1", "An error; one line on standard error says which."),
    ("130", "Interrupted."),
)
FOUND = (
    ("0", "Nothing is wrong."),
    ("1", "A fault was found, or an error happened."),
    ("130", "Interrupted."),
)
WRONG_USAGE = ("2", "The arguments mean nothing.")
ENVIRONMENT = (
    (
        "DELVE_PATH",
        "Delve directories, separated by colons, active besides the one around the current directory. "
        "Without it: the archive that ships with this program, where the current directory is in none.",
    ),
    ("DELVE_UNCOMPRESS", "The program that reads .Z files, 'gzip -dc' if not set."),
)


class Page(namedtuple("Page", "summary files examples statuses", defaults=(STATUSES,))):
    """files, examples, statuses: tuples of (heading, text)."""

    __slots__ = ()


DATASET_SPEC = ("/DATASET/Dataset.spec", "describes the dataset.")
DATASET_DATA = ("/DATASET/Dataset.data", "holds all cases of the dataset.")
DATASET_GENERATOR = ("/DATASET/Dataset.generator", "says what makes the cases, where they are not kept.")
PROTOTASK_SPEC = ("/DATASET/PROTOTASK/Prototask.spec", "describes the prototask.")
PRIORS = ("/DATASET/PROTOTASK/*.prior", "say what may be assumed in tasks of the prototask.")
PROTOTASK_DATA = ("/DATASET/PROTOTASK/Prototask.data", "holds the cases of the prototask, in its order.")
ORDER = ("/DATASET/PROTOTASK/Random-order", "holds the order of the prototask's cases.")
DATA = (DATASET_SPEC, DATASET_DATA, DATASET_GENERATOR, PROTOTASK_SPEC, PRIORS)
TASK = "/METHOD/DATASET/PROTOTASK/TASK/"
CODING_USED = (TASK + "Coding-used", "says how each attribute is encoded.")
NORMALIZE = (TASK + "normalize.n", "holds the normalization constants of instance n.")
TARGETS = (TASK + "targets.n", "holds the encoded true targets of the test cases.")
STATISTICS = (TASK + "Test-set-stats", "holds the statistics that standardize losses.")
PREDICTIONS = (
    (TASK + "[c]guess[.L].n", "holds guesses, c for encoded ones, L the loss that they are for."),
    (TASK + "[l]prob[.L].n", "holds the probabilities of the values, l for their logs."),
    (TASK + "[c][l]ptarg[.L].n", "holds the probabilities or densities of the true targets."),
)
LOSSES = (TASK + "loss.L.n", "holds a loss a test case.")

PAGES = {
    "dcheck": Page(
        "validate the files of datasets",
        (*DATA, ORDER, PROTOTASK_DATA),
        (
            ("dcheck /demo", "Check a dataset with all its prototasks and priors."),
            ("dcheck -l /demo/age", "Check a prototask without its priors."),
            ("dcheck std.prior", "Check one prior file of the current directory's prototask."),
        ),
        FOUND,
    ),
    "dgenorder": Page(
        "generate a random order for a prototask",
        (DATASET_SPEC, DATASET_DATA, PROTOTASK_SPEC, (ORDER[0], "is made.")),
        (
            ("dgenorder", "Make an order for the prototask in the current directory."),
            ("dgenorder -s 1996 ~/delve/data/demo/age", "Make the same order each time."),
        ),
    ),
    "dgenproto": Page(
        "generate the data files of prototasks",
        (DATASET_SPEC, DATASET_DATA, PROTOTASK_SPEC, ORDER, (PROTOTASK_DATA[0], "is made.")),
        (
            ("dgenproto -i ~/delve/data/demo", "Make the files of all prototasks of a dataset."),
            ("dgenproto", "Make the file of the prototask in the current directory."),
        ),
    ),
    "dinfo": Page(
        "get information about datasets, prototasks and tasks",
        DATA,
        (
            ("dinfo /demo", "Tell about a dataset."),
            ("dinfo -t -k prototasks /demo", "List its prototasks for a script."),
            ("dinfo -k delve_path /", "List the active delve directories."),
            ("dinfo /lin-1/demo/age/std.128", "Tell about the task that a method was run on."),
        ),
    ),
    "dls": Page(
        "list the contents of data directories",
        (),
        (
            ("dls /demo/age", "List what all delve directories hold of a prototask."),
            ("dls -l /lin-1/demo/age", "The same by a method's path, with the true paths."),
        ),
    ),
    "dmore": Page(
        "page through files of data directories",
        (("/DATASET/Summary", "is an example of a file to read."),),
        (
            ("dmore /demo/age/std.prior", "Show what may be assumed of the prototask."),
            ("dmore /demo/Summary /demo/Dataset.spec", "Show two files."),
        ),
    ),
    "mcheck": Page(
        "validate the files of methods",
        (*DATA, CODING_USED, NORMALIZE, TARGETS, STATISTICS, *PREDICTIONS, LOSSES),
        (
            ("mcheck /lin-1", "Check a method with all its results."),
            ("mcheck -q .", "Check what lies in the current directory, without telling of progress."),
        ),
        FOUND,
    ),
    "mgendata": Page(
        "generate the data files of tasks",
        (
            *(*DATA, PROTOTASK_DATA, ORDER),
            (TASK + "train.n", "is made: encoded inputs and targets of the training cases."),
            (TASK + "test.n", "is made: encoded inputs of the test cases."),
            (TARGETS[0], "is made: encoded targets of the test cases."),
            (NORMALIZE[0], "is made: normalization constants."),
            (CODING_USED[0], "is made: how each attribute is encoded."),
            (STATISTICS[0], "is made: statistics of the test cases."),
        ),
        (
            ("mgendata ./demo/age/std.256", "Make the data of one task."),
            ("mgendata -c encoding demo", "Encode attributes as the file `encoding` says."),
        ),
    ),
    "mgendir": Page(
        "generate the directories of tasks",
        (DATASET_SPEC, PROTOTASK_SPEC, PRIORS),
        (
            ("mgendir ./demo", "Make directories for all tasks of a dataset."),
            ("mgendir ~/delve/methods/mine/demo/age", "Make those of one prototask for the method `mine`."),
        ),
    ),
    "minfo": Page(
        "get information about methods",
        (*DATA, ("/METHOD/*", "show what the method was run on."), CODING_USED),
        (
            ("minfo /lin-1/demo", "Tell about a dataset as a method used it."),
            ("minfo -t -k prototasks /lin-1/demo", "List the prototasks that it was run on."),
        ),
    ),
    "mloss": Page(
        "generate the loss files of tasks",
        (*DATA, TARGETS, *PREDICTIONS, CODING_USED, NORMALIZE, (LOSSES[0], "is made, a loss a test case.")),
        (
            ("mloss", "Make all losses of the tasks at and below the current directory."),
            ("mloss -l S -i '0 1' demo/age/std.128", "Make squared errors of the first two instances."),
        ),
    ),
    "mls": Page(
        "list the contents of method directories",
        (),
        (
            ("mls /lin-1/demo", "List the prototasks that a method was run on."),
            ("mls -l /lin-1", "List its files with their true paths."),
        ),
    ),
    "mmore": Page(
        "page through files of method directories",
        (("/METHOD/Source/*", "describe the method in full."),),
        (("mmore /lin-1/Summary", "Show what a method is."),),
    ),
    "mstats": Page(
        "calculate or compare statistics of losses",
        (DATASET_SPEC, PROTOTASK_SPEC, LOSSES, *PREDICTIONS, STATISTICS),
        (
            ("mstats -l S /lin-1/demo/age/std.128", "Estimate a method's squared error."),
            ("mstats -c knn-cv-1 -l S /lin-1/demo/age/std.128", "Compare it with another method's."),
        ),
    ),
    "mtable": Page(
        "print a table of methods and tasks",
        (DATASET_SPEC, PROTOTASK_SPEC, LOSSES, STATISTICS),
        (
            ("mtable /demo", "Compare all methods on the tasks of a dataset."),
            ("mtable -l S -m 'lin-1 gp-1' -f latex /demo/age", "Set two methods side by side in LaTeX."),
        ),
    ),
    "delve": Page(
        "browse, check, run and share results of learning methods",
        (("delve*/data, delve*/methods", "hold datasets, and methods with their results."),),
        (
            ("delve dashboard", "Browse the archive."),
            ("delve run lin-1 /demo/age", "Run a method on all tasks of a prototask."),
        ),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve dashboard": Page(
        "browse archives and compare methods in the browser",
        (),
        (
            ("delve dashboard", "Browse the active delve directories."),
            ("delve dashboard --port 8600 --no-browser ~/delve", "Serve one at a fixed address."),
        ),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve check": Page(
        "list everything that is wrong with the files of archives",
        (),
        (("delve check ~/delve", "Check all datasets and results of a delve directory."),),
        (*FOUND[:2], WRONG_USAGE, FOUND[2]),
    ),
    "delve run": Page(
        "apply learning methods to tasks",
        (
            (TASK + "Seeds", "holds the seed of each complete instance."),
            (TASK + "Costs", "holds its seconds, and the largest size of its process in MB."),
            (TASK + "Failures", "holds the message of each instance that failed."),
            *PREDICTIONS,
            LOSSES,
        ),
        (
            ("delve run --list", "List the methods."),
            ("delve run lin-1 /demo/age/std.128 --into delve-mine", "Run one on a task."),
            ("delve run lin-1 knn-cv-1 /demo --workers 4", "Run two on all tasks of a dataset."),
            ("delve run --command './my-method' /demo", "Run a program of your own."),
            (
                "delve run --object sklearn.linear_model:BayesianRidge /demo/age",
                "Run a Python object with fit and predict.",
            ),
        ),
        (*STATUSES[:1], ("1", "An instance failed, or an error happened."), WRONG_USAGE, STATUSES[2]),
    ),
    "delve measures": Page(
        "print contingency tables of a method's classes and their measures",
        (DATASET_SPEC, PROTOTASK_SPEC, *PREDICTIONS[:2]),
        (
            ("delve measures lin-1 /titanic/survived/std.160", "Judge a method as a classifier."),
            ("delve measures lin-1 /titanic --null 0.5", "Test its accuracy against tossing a coin."),
        ),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve rank": Page(
        "rank methods over many tasks, and test which differ",
        (("TABLE.csv", "has tasks in its first column and the names of methods in its header."),),
        (
            ("delve rank accuracies.csv --higher-is-better", "Rank the methods of a table."),
            ("delve rank --loss S --control lin-1", "Rank all methods of the archive, lin-1 as the control."),
            ("delve rank /demo --format json", "Print everything that was found, for other programs."),
        ),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve array": Page(
        "print the numbers of a task-array",
        (
            ("/ARRAY/Array.spec", "names the factors and the members of a task-array."),
            PROTOTASK_SPEC,
            LOSSES,
            STATISTICS,
            (TASK + "Costs", "holds the seconds of each instance."),
        ),
        (
            ("delve array", "List the task-arrays."),
            ("delve array kin --table winners --holm", "Tell the best method on each task of one."),
            (
                "delve array kin --table effects --methods 'gp-1 lin-1' --format latex",
                "Make a table of what drives the losses of two methods, for a paper.",
            ),
        ),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve build": Page(
        "make the cases of generated datasets",
        (("/DATASET/Dataset.generator", "names the generator, and the checksum of what it makes."),),
        (
            ("delve build", "Make the cases of all generated datasets."),
            ("delve build --check /kin-8fm", "Verify that the generator still makes the same cases."),
        ),
        (*STATUSES[:1], ("1", "Something could not be made as recorded."), WRONG_USAGE, STATUSES[2]),
    ),
    "delve pack": Page(
        "write a method or dataset into archive files",
        (
            ("METHOD-all.tar.gz", "is made: the method with all results."),
            ("METHOD-DATASET.tar.gz", "is made: its results on a dataset."),
            ("METHOD-Source.tar.gz", "is made: its documentation."),
            ("DATASET.tar.gz", "is made by --data: a dataset."),
        ),
        (
            ("delve pack lin-1 --into archives", "Pack a method."),
            ("delve pack --data demo", "Pack a dataset."),
        ),
        (*STATUSES[:1], ("1", "Something is wrong with what was to be packed."), WRONG_USAGE, STATUSES[2]),
    ),
    "delve install": Page(
        "put datasets and methods from archive files into a delve directory",
        (("*.tar.gz", "are what `delve pack` makes."),),
        (("delve install lin-1-all.tar.gz demo.tar.gz --into ~/delve", "Install a method and a dataset."),),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve table": Page(
        "make the table of a paper",
        (DATASET_SPEC, PROTOTASK_SPEC, LOSSES, STATISTICS),
        (
            (
                "delve table /demo --loss Z --format latex",
                "Set all methods on the tasks of a dataset in LaTeX.",
            ),
            ("delve table --by size --loss S --transpose", "Average over the tasks of each training size."),
            ("delve table scores.csv --higher-is-better", "Rank methods by your own scores."),
        ),
        (*STATUSES[:2], WRONG_USAGE, STATUSES[2]),
    ),
    "delve completion": Page(
        "print a script that completes commands in a shell",
        (),
        (
            ('eval "$(delve completion bash)"', "Complete in this bash; put it into ~/.bashrc to keep it."),
            ('eval "$(delve completion zsh)"', "Complete in this zsh; put it into ~/.zshrc to keep it."),
            ("delve completion fish | source", "Complete in this fish."),
        ),
        (*STATUSES[:1], WRONG_USAGE),
    ),
}
