"""Names of metrics in libraries and papers, with their directions. Directions are never guessed."""

import re

from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import Measure, column_measure

LARGEST = 1e150
"""Largest size of a score. Squares of larger scores may overflow."""


def known_metric(name: str) -> Measure | None:
    """Return the measure for the name of a metric; None for an unknown name.

    Upper case, blanks, hyphens, underscores and percent signs do not count. Words for cases
    (`test`), averages over classes (`macro`) and means do not count, either. Names that start with `neg` are
    negative losses, as in scikit-learn. A letter of DELVE stands for its loss.

    >>> known_metric("test accuracy").direction
    'higher is better'
    """
    if name in LOSS_SPECS:
        return column_measure(name, False, LOSS_SPECS[name].best)
    words = _words(name)
    turned = words[:1] in (["neg"], ["negative"]) and "".join(words) not in _LOWER
    for chosen in (words, [word for word in words if word not in _QUALIFIERS]):
        key = "".join(chosen[1:] if turned and chosen else chosen)
        if turned and key in _LOWER:
            return column_measure(name, True, 0.0 if key in _FROM_ZERO else None)
        if not turned and key in _HIGHER:
            return column_measure(name, True, _HIGHER[key])
        if not turned and key in _LOWER:
            return column_measure(name, False, 0.0 if key in _FROM_ZERO else None)
    return None


def _words(name: str) -> list[str]:
    """Return the words of a name, in lower case, without the numbers of `recall@5` and `top-5`."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    plain = plain.replace("r²", "r2").replace("r^2", "r2").replace("f-1", "f1")
    plain = re.sub(r"@\s*\d+|\btop[-_ ]?\d+\b|\(%\)|%", " ", plain)
    return [word for word in re.split(r"[^a-z0-9]+", plain) if word]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUALIFIERS = _names(
    "test testing val valid validation eval evaluation dev holdout out of sample oos cv score mean avg "
    "average averaged macro micro weighted samples unweighted binary multiclass ovr ovo metric metrics "
    "final best predictive the pct percent percentage in median overall classif regr surv clust "
    "scores result results episode episodic"
)
_TO_ONE = _names(
    "accuracy acc accs predictiveaccuracy balancedaccuracy balacc bacc bac balancedacc accuracybalanced "
    "auc aucroc rocauc auroc areaunderroccurve areaunderroc areaundercurve auroccurve aucmacro aucpr "
    "prauc auprc averageprecision ap map meanaverageprecision f1 f1score fscore fmeasure fbeta "
    "f1measure f1macro f1micro f1weighted mcc matthewscorrcoef matthewscorrelationcoefficient matthews "
    "matthewscorrelation phi kappa cohenkappa cohenskappa cohen kappascore qwk quadraticweightedkappa "
    "r2 r2score rsquared rsq explainedvariance coefficientofdetermination precision recall sensitivity "
    "specificity tpr tnr truepositiverate truenegativerate ppv npv hitrate hit hits gmean geometricmean "
    "jaccard iou miou jaccardindex dice dicecoefficient ndcg mrr meanreciprocalrank reciprocalrank "
    "exactmatch em successrate success correctclassificationrate ccr pearson pearsonr spearman "
    "spearmanr kendalltau correlation cor corr concordance concordanceindex cindex ari "
    "adjustedrandindex adjustedrand nmi ami rand randindex vmeasure homogeneity completeness purity "
    "silhouette ssim kappastatistic percentcorrect prec "
    "macrof1 microf1 weightedf1 f1m balaccuracy winrate passed pass "
    "solved resolved passrate solverate resolverate resolvedrate "
)
_UNBOUNDED = _names(
    "reward return cumulativereward psnr snr bleu rouge rougel rouge1 rouge2 meteor elo throughput "
    "speedup loglikelihood ll loglik likelihood profit gain lift informationgain hypervolume hv "
)
_HIGHER: dict[str, float | None] = {**dict.fromkeys(_TO_ONE, 1.0), **dict.fromkeys(_UNBOUNDED)}
_FROM_ZERO = _names(
    "rmse rootmeansquarederror rootmeansquareerror mse meansquarederror meansquareerror squarederror "
    "sse mae meanabsoluteerror absoluteerror medianabsoluteerror medae mape meanabsolutepercentageerror "
    "smape symmetricmape symmetricmeanabsolutepercentageerror mase meanabsolutescalederror rmsle msle "
    "rootmeansquaredlogerror meansquaredlogerror rootmeansquaredlogarithmicerror nrmse rrmse rse rae "
    "rrse wape wmape logloss logarithmicloss crossentropy crossentropyloss categoricalcrossentropy "
    "binarycrossentropy bce ce xent mlogloss brier brierscore brierloss multiclassbrier rps crps "
    "pinball pinballloss quantileloss error err errors errorrate errrate mce mmce misclassification "
    "misclassificationerror misclassificationrate missclassification classificationerror classiferror "
    "classerror zerooneloss 01loss zeroone hinge hingeloss hammingloss ber balancederrorrate "
    "balancederror merror metricerror loss regret simpleregret cumulativeregret inferenceregret "
    "normalizedregret ece calibrationerror expectedcalibrationerror fpr fnr falsepositiverate "
    "falsenegativerate falsealarmrate eer equalerrorrate wer cer ter worderrorrate charactererrorrate "
    "fid kl kldivergence jsdivergence wasserstein emd cost time times duration durations seconds "
    "relativeabsoluteerror rootrelativesquarederror percentincorrect owa "
    "runtime cputime walltime elapsed elapsedtime fittime traintime trainingtime scoretime predicttime "
    "inferencetime latency memory fevals functionevaluations ert optimalitygap "
)
_LOWER = _FROM_ZERO | _names(
    "nll nlpd negloglikelihood negativeloglikelihood negativelogprobability perplexity ppl bpb bpc "
    "bitsperbyte bitsperdim bitspercharacter aic bic aicc deviance "
)
