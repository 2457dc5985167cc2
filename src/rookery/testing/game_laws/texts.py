"""Laws of text: moves, variants and positions are written and read back the same.

A reader takes any text whatever. What it cannot read is the sender's mistake, told in
one sentence; no text makes it fail in any other way. Random text alone almost never comes near a
move, so most texts here are right ones with one thing changed, by characters that readers are
known to stumble over.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, BadOption, BadPosition, IllegalMove, Mistake
from rookery.core.game import Positioned
from rookery.core.options import make_variant, split_options
from rookery.testing.cases import GameCase, PositionOf, is_sentence, spread
from rookery.testing.game_laws.declared import once
from rookery.testing.game_laws.play import spots
from rookery.testing.game_laws.values import ShownValue
from rookery.testing.law import Broken, Law

# Digits that only `str.isdigit` likes, ends that `$` overlooks, signs, blanks, letters.
NASTY: Final = ("", "\n", " ", "\t", "\0", "٣", "²", "０", "+", "-", "_", ",", ".", "0", "9", "é")
HUGE: Final = ("9" * 30, "-" + "9" * 5000, "a" * 10_000, "0" * 100 + "1")
PLANES: Final = (0x7F, 0x2FF, 0xFFFF, 0x10FFFF)  # most texts are plain, some from anywhere
SURROGATES: Final = range(0xD800, 0xE000)  # no characters


def texts(valid: Sequence[str], chance: Chance, many: int) -> Iterator[str]:
    """So many texts, all the odd ones among them, and most of them nearly valid."""
    yield from ("", *NASTY, *HUGE)
    letters = "".join(sorted({letter for one in valid[:50] for letter in one})) or "x"
    for n in range(many):
        if n % 4 == 0 or not valid:
            yield "".join(_character(chance) for _ in range(chance.below(30)))
        else:
            yield changed(chance.choice(valid), letters, chance)


def changed(text: str, letters: str, chance: Chance) -> str:
    """A text with a piece put in, taken out, replaced, doubled or changed in case."""
    at = chance.below(len(text) + 1)
    after = text[at + chance.below(3) :]
    match chance.below(3):
        case 0:
            put = chance.choice(NASTY)
        case 1:
            put = "".join(chance.choice(letters) for _ in range(chance.below(3)))
        case _:
            put = _character(chance)
    match chance.below(5):
        case 0:
            return text.swapcase()
        case 1:
            return text + put + text
        case _:
            return text[:at] + put + after


def _character(chance: Chance) -> str:
    code = chance.below(chance.choice(PLANES)) + 1
    return chr(code) if code not in SURROGATES else "\ufffd"


# None of these is a number, a flag, a word or a tuple of numbers.
WRONG_TYPES: Final = (None, 2.5, b"8", [3, 4], {"size": 8}, object())
ODD_VALUES: Final = (
    "", "x", "-1", "0", "1", "7", "true", "no", "1,2", "1,,2", "99999", "9" * 40, "٣", "=",
)  # fmt: skip
LONGEST_SENTENCE: Final = 300  # characters: nobody wants to read a whole wrong text again


class Typed(Struct, frozen=True):
    """A text that somebody typed, in a position if it is a move for it."""

    text: str
    spot: PositionOf | None = None

    def smaller(self) -> Iterator["Typed"]:
        """With less of the text, or fewer moves before."""
        size = len(self.text)
        while size:
            for at in range(0, len(self.text) - size + 1, max(1, size // 2)):
                yield Typed(self.text[:at] + self.text[at + size :], self.spot)
            size //= 2
        for spot in self.spot.smaller() if self.spot is not None else ():
            yield Typed(self.text, spot)

    def told(self) -> Iterator[tuple[str, str]]:
        """The position, and the text."""
        if self.spot is not None:
            yield from self.spot.told()
        yield "text", repr(self.text)


def a_move_is_read_back_as_it_was_written(case: GameCase, move: ShownValue) -> None:
    """By `format_move` and `parse_move`."""
    _check_move(case, move.value)


def different_moves_are_written_differently(case: GameCase, _: None) -> None:
    """All moves that were seen."""
    first: dict[str, Any] = {}
    for move in case.some_moves:
        text = case.game.format_move(move)
        if first.setdefault(text, move) != move:
            raise Broken(f"two texts for {first[text]!r} and {move!r}", repr(text))


def a_text_is_no_move_or_one_that_is_written_and_read_the_same(
    case: GameCase, typed: Typed
) -> None:
    """Whatever the text; a text that is no move is refused in a sentence."""
    refused = _refusal(case.game.parse_move, typed.text, BadNotation)
    if refused is None:
        _check_move(case, case.game.parse_move(typed.text))
    else:
        _check_sentence(refused)


def a_readable_text_is_accepted_exactly_if_its_move_is_legal(case: GameCase, typed: Typed) -> None:
    """In any position, from any seat."""
    assert typed.spot is not None, "a move is tried somewhere"
    if _refusal(case.game.parse_move, typed.text, BadNotation) is not None:
        return
    move, state = case.game.parse_move(typed.text), typed.spot.state
    for seat in case.all_seats:
        listed = move in case.legal(state, seat)
        try:
            case.game.play(state, seat, move)
        except IllegalMove as refused:
            if listed:
                said = f"that it is played from {case.seat_word(seat)}, as legal_moves lists it"
                raise Broken(said, f"play said: {refused}") from refused
            continue
        if not listed:
            said = f"that it is refused from {case.seat_word(seat)}: legal_moves does not list it"
            raise Broken(said, "it was played")


def a_variant_is_read_back_as_it_was_written(case: GameCase, _: None) -> None:
    """Its options as the log keeps them."""
    name, *words = case.title.split()
    again = _variant(case, *words)
    if again != case.game or name != case.game.name:
        raise Broken(f"{case.game!r} from {case.title!r}", repr(again))


def an_option_that_a_game_does_not_have_is_refused(case: GameCase, _: None) -> None:
    """In a sentence."""
    for word in ("colour=blue", "size", "=3", "name=x"):
        refused = _refusal(lambda text: _variant(case, text), word, BadOption)
        if refused is None:
            raise Broken(f"that {word!r} is refused", "it was taken")
        _check_sentence(refused)


def an_option_takes_a_value_or_refuses_it_in_a_sentence(case: GameCase, _: None) -> None:
    """Whatever is typed."""
    for field in _options(case):
        for value in ODD_VALUES:
            word = f"{field}={value}"
            refused = _refusal(lambda text: _variant(case, text), word, BadOption)
            if refused is not None and not is_sentence(refused):
                raise Broken(f"a sentence why {word} cannot be", repr(refused))


def an_option_of_the_wrong_type_is_refused(case: GameCase, _: None) -> None:
    """By `__post_init__`: see `check_whole` and its like."""
    kind = type(case.game)
    for field in _options(case):
        for value in WRONG_TYPES:
            try:
                kind(**{field: value})
            except BadOption as refused:
                _check_sentence(str(refused))
            else:
                raise Broken(f"BadOption for {field}={value!r}", "a game")


def a_position_is_read_back_as_it_was_written(case: GameCase, spot: PositionOf) -> None:
    """With all that can be seen and played in it."""
    game = _positioned(case)
    text = game.format_position(spot.state)
    again = game.parse_position(text)
    if game.format_position(again) != text:
        raise Broken(f"{text!r} again", repr(game.format_position(again)))
    for viewer in case.viewers:
        seen, before = case.game.view(again, viewer), case.game.view(spot.state, viewer)
        if seen != before:
            raise Broken(f"that {case.seat_word(viewer)} sees {before}", seen)
    for seat in case.all_seats:
        moves = case.legal(again, seat)
        if moves != case.legal(spot.state, seat):
            raise Broken(f"the moves {case.legal(spot.state, seat)} in {text!r}", moves)


def a_text_is_no_position_or_one_that_can_be_played_on(case: GameCase, typed: Typed) -> None:
    """Whatever the text."""
    game = _positioned(case)
    refused = _refusal(game.parse_position, typed.text, BadPosition)
    if refused is not None:
        if not is_sentence(refused):
            raise Broken("a sentence why it is no position", repr(refused))
        return
    state = game.parse_position(typed.text)
    if bool(case.game.to_act(state)) != (case.game.outcome(state) is None):
        raise Broken("somebody to act, or an outcome", case.game.outcome(state))
    for seat in case.acting(state):
        for move in spread(case.legal(state, seat), 3):
            case.game.play(state, seat, move)


def move_texts(case: GameCase) -> list[str]:
    """The moves that were seen, as text."""
    return [case.written(move) for move in case.some_moves]


def position_texts(case: GameCase) -> list[str]:
    """The positions that were seen, as text."""
    return [_positioned(case).format_position(spot.state) for spot in case.spots]


def has_positions(case: GameCase) -> bool:
    """Whether the game's positions can be written down."""
    return isinstance(case.game, Positioned)


def _positioned(case: GameCase) -> Positioned[Any]:
    game: object = case.game
    assert isinstance(game, Positioned), "only such games are tried"
    return game


def _check_move(case: GameCase, move: Any) -> None:
    text = case.game.format_move(move)
    again = case.game.parse_move(text)
    if again != move:
        raise Broken(f"that {text!r} is read as {move!r}", repr(again))


def _check_sentence(refused: str) -> None:
    if not is_sentence(refused) or len(refused) >= LONGEST_SENTENCE:
        raise Broken("one sentence, and no long one, that says what is wrong", repr(refused))


def _refusal(read: Callable[[str], object], text: str, mistake: type[Mistake]) -> str | None:
    """The sentence this text is refused with; None if it is read."""
    try:
        read(text)
    except mistake as refused:
        return str(refused)
    return None


def _options(case: GameCase) -> list[str]:
    assert isinstance(case.game, Struct), "a game is a struct of its options"
    return [field.name for field in msgspec.structs.fields(case.game)]


def _variant(case: GameCase, *words: str) -> object:
    assert isinstance(case.game, Struct), "a game is a struct of its options"
    return make_variant(type(case.game), case.game.name, split_options(words))


def _moves(case: GameCase) -> Iterator[ShownValue]:
    return map(ShownValue, case.some_moves)


def _texts(case: GameCase) -> Iterator[Typed]:
    chance = Chance(case.seed)
    return map(Typed, texts(move_texts(case), chance, case.effort.texts))


def _texts_in_positions(case: GameCase) -> Iterator[Typed]:
    chance = Chance(case.seed)
    for text in texts(move_texts(case), chance, case.effort.texts) if case.spots else ():
        yield Typed(text, chance.choice(case.spots))


def _written_spots(case: GameCase) -> tuple[PositionOf, ...]:
    return spots(case) if has_positions(case) else ()


def _positions(case: GameCase) -> Iterator[Typed]:
    if not has_positions(case):
        return iter(())
    return map(Typed, texts(position_texts(case), Chance(case.seed), case.effort.texts))


_READ_SAME = a_text_is_no_move_or_one_that_is_written_and_read_the_same
_IF_LEGAL = a_readable_text_is_accepted_exactly_if_its_move_is_legal

LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law(
        "A move is read back as it was written.",
        _moves,
        a_move_is_read_back_as_it_was_written,
        "move",
    ),
    Law(
        "Different moves are written differently.",
        once,
        different_moves_are_written_differently,
        "variant",
    ),
    Law("A text is no move or one that is written and read the same.", _texts, _READ_SAME, "text"),
    Law(
        "A readable text is accepted exactly if its move is legal.",
        _texts_in_positions,
        _IF_LEGAL,
        "text",
    ),
    Law(
        "A variant is read back as it was written.",
        once,
        a_variant_is_read_back_as_it_was_written,
        "variant",
    ),
    Law(
        "An option that a game does not have is refused.",
        once,
        an_option_that_a_game_does_not_have_is_refused,
        "variant",
    ),
    Law(
        "An option takes a value or refuses it in a sentence.",
        once,
        an_option_takes_a_value_or_refuses_it_in_a_sentence,
        "variant",
    ),
    Law(
        "An option of the wrong type is refused.",
        once,
        an_option_of_the_wrong_type_is_refused,
        "variant",
    ),
    Law(
        "A position is read back as it was written.",
        _written_spots,
        a_position_is_read_back_as_it_was_written,
    ),
    Law(
        "A text is no position or one that can be played on.",
        _positions,
        a_text_is_no_position_or_one_that_can_be_played_on,
        "text",
    ),
)
