"""Three-Thirteen, slow reference: melds, arrangements, penalties.

Cards are text ("4h", "Ts", "*" for a printed joker). The rule text is rules/three_thirteen.md.

The documented arrangement, among those with the smallest penalty:
1. the fewest melds;
2. then the most runs (a meld that may be read as a run counts as one);
3. then the lexicographically first: the index of a card is 13 * suit + rank (suits c d h s, ace
   lowest, a printed joker 52); a meld is the tuple of its indices, ascending; an arrangement is
   the tuple of its melds, ascending; the smaller tuple of tuples comes first;
4. with lay-offs then the fewest cards laid off, then the first of the ascending tuples of
   (index of the card, position of the meld on the table).
A player who goes out must lay every card: there only arrangements without a rest compete.
"""

from functools import cache
from itertools import product

from .three_thirteen_rules import JOKER, RANKS, SUITS, complete, pattern_for

# The ranks in the order in which a run may climb them.
LADDERS = {"low": RANKS, "high_low": RANKS + "A", "wrap": RANKS + RANKS[:-1]}


def card_index(card):
    """The place of a card in the documented order."""
    return 52 if card == JOKER else 13 * SUITS.index(card[1]) + RANKS.index(card[0])


def in_order(cards):
    """The cards sorted in the documented order."""
    return sorted(cards, key=card_index)


def is_wild(card, wild):
    """Printed jokers are wild in every round, the round's rank besides."""
    return card == JOKER or card[0] == wild


def card_penalty(card, wild, rules):
    """What one unmelded card costs."""
    if card == JOKER:
        return complete(rules)["joker_penalty"]
    if card[0] == wild:
        return complete(rules)["wild_penalty"]
    return min(RANKS.index(card[0]) + 1, 10)


def total_penalty(cards, wild, rules):
    """What these unmelded cards cost together."""
    return sum(card_penalty(card, wild, rules) for card in cards)


def _fits_a_run(naturals, length, aces):
    """Can these cards, wild cards filling every gap, be a run of this length?"""
    ranks = {card[0] for card in naturals}
    if len({card[1] for card in naturals}) != 1 or len(ranks) != len(naturals) or length > 13:
        return False
    ladder = LADDERS[aces]
    runs = (ladder[start : start + length] for start in range(len(ladder) - length + 1))
    return any(ranks <= set(run) for run in runs)


def meld_kinds(cards, wild, rules):
    """The kinds of meld ("set", "run") these cards can be; empty if they are no meld.

    A wild card may stand for any card, the one printed on it included, so a card of the wild
    rank that stands as itself needs no rule of its own. Wild cards alone are a set, not a run.
    """
    rules = complete(rules)
    naturals = [card for card in cards if not is_wild(card, wild)]
    limit = rules["max_wilds_per_meld"]
    if len(cards) < 3 or (limit is not None and len(cards) - len(naturals) > limit):
        return frozenset()
    kinds = set()
    if len({card[0] for card in naturals}) <= 1:
        kinds.add("set")
    if naturals and _fits_a_run(naturals, len(cards), rules["aces"]):
        kinds.add("run")
    return frozenset(kinds)


def is_meld(cards, wild, rules):
    """Are these cards, all together, one valid meld?"""
    return bool(meld_kinds(cards, wild, rules))


def meets_pattern(melds, wild, rules):
    """Do these melds contain the round's sets and runs, each meld counted once?"""
    sets, runs = pattern_for(wild, rules)
    kinds = [meld_kinds(meld, wild, rules) for meld in melds]
    only_sets = kinds.count(frozenset({"set"}))
    only_runs = kinds.count(frozenset({"run"}))
    either = kinds.count(frozenset({"set", "run"}))
    return max(0, sets - only_sets) + max(0, runs - only_runs) <= either


def runs_among(melds, wild, rules):
    """How many melds can be read as a run."""
    return sum("run" in meld_kinds(meld, wild, rules) for meld in melds)


def _minus(counts, part):
    """The multiset that is left, or None if it does not hold the part."""
    left = tuple(have - take for have, take in zip(counts, part, strict=True))
    return None if min(left, default=0) < 0 else left


class _Hand:
    """All that can be done with the cards of one hand; multisets are tuples of counts."""

    def __init__(self, cards, wild, rules):
        self.wild, self.rules = wild, complete(rules)
        # Natural cards first: the search always settles the first card that is left.
        self.kinds = sorted(set(cards), key=lambda card: (is_wild(card, wild), card_index(card)))
        self.counts = tuple(list(cards).count(card) for card in self.kinds)
        self.needs = pattern_for(wild, self.rules)
        self.best = cache(self._best)
        self.covers = cache(self._covers)
        self.melds = [[] for _ in self.kinds]  # by the first card
        for part in self.parts_that_meld():
            first = next(i for i, count in enumerate(part) if count)
            self.melds[first].append((part, meld_kinds(self.cards(part), wild, self.rules)))

    def cards(self, part):
        """The cards of a multiset."""
        return [card for card, count in zip(self.kinds, part, strict=True) for _ in range(count)]

    def parts_that_meld(self, table_meld=()):
        """Every non-empty part of the hand that, with the table meld's cards, is a meld.

        The natural cards of a meld share their rank or their suit, or there are none.
        """
        natural = [card for card in self.kinds if not is_wild(card, self.wild)]
        groups = [frozenset(card for card in natural if card[0] == rank) for rank in RANKS]
        groups += [frozenset(card for card in natural if card[1] == suit) for suit in SUITS]
        found = set()
        for group in {frozenset(), *groups}:
            choices = [
                range(count + 1) if is_wild(card, self.wild) or card in group else (0,)
                for card, count in zip(self.kinds, self.counts, strict=True)
            ]
            found.update(product(*choices))
        return sorted(
            part for part in found if any(part) and is_meld([*table_meld, *self.cards(part)], self.wild, self.rules)
        )

    def _moves(self, counts, needs):
        """Each meld with the first card that is left: (rest, needs left, part, kinds).

        A meld may serve the pattern as any one of its kinds.
        """
        first = next(i for i, count in enumerate(counts) if count)
        sets, runs = needs
        for part, kinds in self.melds[first]:
            rest = _minus(counts, part)
            if rest is not None:
                if "set" in kinds:
                    yield rest, (max(0, sets - 1), runs), part, kinds
                if "run" in kinds:
                    yield rest, (sets, max(0, runs - 1)), part, kinds

    def _covers(self, counts, needs):
        """Can all these cards be melded, with the sets and runs still needed?"""
        if not any(counts):
            return needs == (0, 0)
        return any(self.covers(rest, left) for rest, left, _, _ in self._moves(counts, needs))

    def _best(self, counts, needs, everything):
        """The smallest (penalty, melds, minus runs, meld tuples) with the needed sets and runs.

        None if there is none; `everything` forbids leaving a card unmelded.
        """
        if not any(counts):
            return (0, 0, 0, ()) if needs == (0, 0) else None
        found = []
        for rest, left, part, kinds in self._moves(counts, needs):
            key = self.best(rest, left, everything)
            if key is not None:
                meld = tuple(sorted(map(card_index, self.cards(part))))
                melds = tuple(sorted((*key[3], meld)))
                found.append((key[0], key[1] + 1, key[2] - ("run" in kinds), melds))
        if not everything:
            first = next(i for i, count in enumerate(counts) if count)
            rest = (*counts[:first], counts[first] - 1, *counts[first + 1 :])
            key = self.best(rest, needs, everything)
            if key is not None:
                cost = card_penalty(self.kinds[first], self.wild, self.rules)
                found.append((key[0] + cost, *key[1:]))
        return min(found, default=None)

    def best_with(self, table_melds, everything=False):
        """The smallest (penalty, melds, minus runs, meld tuples, number laid off, laid off)."""
        onto = [self.parts_that_meld(meld) for meld in table_melds]

        @cache
        def lay(counts, position):
            """The same for what is left, laying off onto the table melds from this one on."""
            if position == len(onto):
                key = self.best(counts, self.needs, everything)
                return None if key is None else (*key, 0, ())
            found = [lay(counts, position + 1)]
            for part in onto[position]:
                rest = _minus(counts, part)
                key = None if rest is None else lay(rest, position + 1)
                if key is not None:
                    laid = [(card_index(card), position) for card in self.cards(part)]
                    found.append((*key[:4], key[4] + len(laid), tuple(sorted((*key[5], *laid)))))
            return min((key for key in found if key is not None), default=None)

        found = [lay(self.counts, 0)]
        if not everything:
            # Whatever the pattern, one may meld nothing (and then lay off nothing).
            cards = self.cards(self.counts)
            found.append((total_penalty(cards, self.wild, self.rules), 0, 0, (), 0, ()))
        return min((key for key in found if key is not None), default=None)


def _one_wild_suit(cards, wild):
    """The cards with all cards of the wild rank alike: their suit makes no difference."""
    return [wild + "c" if card[0] == wild else card for card in cards]


def min_penalty(cards, wild, rules):
    """The smallest total of unmelded cards over all ways to arrange the cards."""
    return min_penalty_with_layoff(cards, [], wild, rules)


def min_penalty_with_layoff(cards, table_melds, wild, rules):
    """The same, the rest being laid off onto the melds on the table where that is legal."""
    return _Hand(_one_wild_suit(cards, wild), wild, rules).best_with(table_melds)[0]


def can_go_out(cards_after_draw, wild, rules):
    """The cards whose discard leaves a fully melded hand that holds the round's pattern."""
    hand = _Hand(_one_wild_suit(cards_after_draw, wild), wild, rules)
    found = []
    for card in in_order(set(cards_after_draw)):
        kind = hand.kinds.index(_one_wild_suit([card], wild)[0])
        one = tuple(int(i == kind) for i in range(len(hand.kinds)))
        if hand.covers(_minus(hand.counts, one), hand.needs):
            found.append(card)
    return found


def best_arrangement_with_layoff(cards, table_melds, wild, rules, everything=False):
    """The documented arrangement: (melds, unmelded, [(card, table meld)], penalty), or None.

    None only with `everything`, where no card may stay unmelded.
    """
    key = _Hand(cards, wild, rules).best_with(table_melds, everything)
    if key is None:
        return None
    text = {card_index(card): card for card in cards}
    melds = [[text[index] for index in meld] for meld in key[3]]
    laid = [(text[index], position) for index, position in key[5]]
    unmelded = in_order(cards)
    for card in [card for meld in melds for card in meld] + [card for card, _ in laid]:
        unmelded.remove(card)
    return melds, unmelded, laid, key[0]


def best_arrangement(cards, wild, rules, everything=False):
    """The documented arrangement without lay-offs: (melds, unmelded, penalty), or None."""
    found = best_arrangement_with_layoff(cards, [], wild, rules, everything)
    return None if found is None else (found[0], found[1], found[3])


def brute_arrangements(cards, tables=0):
    """Every way to put each card into a meld, onto one of the table melds, or nowhere.

    Nothing is judged here: yields (melds, cards added to each table meld, unmelded).
    """
    if not cards:
        yield [], [[] for _ in range(tables)], []
        return
    first, rest = cards[0], cards[1:]
    for melds, added, unmelded in brute_arrangements(rest, tables):
        yield melds, added, [first, *unmelded]
        yield [[first], *melds], added, unmelded
        for i in range(len(melds)):
            yield [*melds[:i], [first, *melds[i]], *melds[i + 1 :]], added, unmelded
        for i in range(tables):
            yield melds, [*added[:i], [first, *added[i]], *added[i + 1 :]], unmelded


def brute_best(cards, table_melds, wild, rules, everything=False):
    """The key of the documented arrangement by trying all of them (up to 7 or 8 cards)."""
    found = []
    for melds, added, unmelded in brute_arrangements(list(cards), len(table_melds)):
        if everything and unmelded:
            continue
        whole = [[*meld, *more] for meld, more in zip(table_melds, added, strict=True) if more]
        if not all(is_meld(meld, wild, rules) for meld in melds + whole):
            continue
        if (melds or whole) and not meets_pattern(melds, wild, rules):
            continue
        if everything and not meets_pattern(melds, wild, rules):
            continue
        runs = runs_among(melds, wild, rules)
        laid = sorted((card_index(card), i) for i, more in enumerate(added) for card in more)
        tuples = tuple(sorted(tuple(sorted(map(card_index, meld))) for meld in melds))
        penalty = total_penalty(unmelded, wild, rules)
        found.append((penalty, len(melds), -runs, tuples, len(laid), tuple(laid)))
    return min(found, default=None)


def brute_min_penalty(cards, wild, rules, table_melds=()):
    """The smallest penalty by trying every arrangement."""
    return brute_best(cards, list(table_melds), wild, rules)[0]
