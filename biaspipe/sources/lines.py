"""The lines of text tables: of CSV, where each has as many fields as the first, and of JSON."""

import re
from typing import TYPE_CHECKING

from biaspipe.errors import DataError, LimitError
from biaspipe.policy import DEFAULT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LARGE", "CsvLines", "JsonLines", "not_utf8"]

BOM = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""How texts of two bytes a character begin."""
LARGE = 1 << 23
"""Bytes of a text from which on numpy goes over its lines faster than it is imported."""
LONG = 1 << 17
BLANK = re.compile(rb"^\r?\n", re.MULTILINE)
NEWLINE, QUOTE, RETURN = b'\n"\r'


class CsvLines:
    r"""Checks the lines of one CSV file as its bytes come in.

    Parameters
    ----------
    name : what messages call the file.
    separator : what stands between fields.
    header : whether the first line names the columns.
    named : how many columns the spec names; None if it names none.
    quick : whether numpy goes over them first, which pays for its import in large files only.

    >>> lines = CsvLines("d.csv", ",", header=True)
    >>> lines.read(b'sex,paid\nm,"1,5"\nf,2')
    >>> lines.end()
    >>> lines.rows
    2
    """

    longest: int = DEFAULT.limits.line
    """Bytes that a row may have, so that a quote that is never closed does not fill the memory."""

    def __init__(
        self,
        name: str,
        separator: str,
        *,
        header: bool,
        named: int | None = None,
        quick: bool = False,
    ) -> None:
        self.name, self.header, self.quick = name, header, quick
        self.separator = separator.encode()
        self.named, self.width = named, named
        self.records = 0
        self.line = self.opened = 1
        self.is_open = self.is_quiet = False
        self.tail = self.first = b""
        self.parts: list[bytes] = []
        self.held = self.seen = 0

    @property
    def rows(self) -> int:
        """The rows that were read, without the header."""
        return self.records - self.header

    def read(self, block: bytes | memoryview) -> None:
        """Check the next bytes.

        Raises
        ------
        DataError
            With the first line that engines could take for another row than was meant.
        """
        self.held += len(block)
        self.seen += len(block)
        self.quick = self.quick or self.seen >= LARGE
        if self.held > LONG and self._defer(bytes(block)):
            return
        data = b"".join((self.tail, *self.parts, block))
        self.parts.clear()
        if self.line == 1:
            data = data.removeprefix(BOM)
            if data.startswith(UTF16_MARKS) or b"\0" in data[:2]:
                raise not_utf8(self.name)
        done = (self.quick and self._read_quickly(data)) or self._read_slowly(data)
        self.tail = data[done:]
        self.held = len(self.tail)
        self.is_quiet = self.is_open and QUOTE not in self.tail[self.tail.rfind(b"\n") + 1 :]
        if self.held > self.longest:
            self._refuse_long()

    def _defer(self, block: bytes) -> bool:
        """Keep the next bytes of a long row, which is read again only as it doubles; whether so."""
        self.is_quiet = self.is_quiet and QUOTE not in block
        if self.held > self.longest and self.is_quiet:
            self._refuse_long()
        if self.held > (self.longest if self.is_quiet else min(2 * len(self.tail), self.longest)):
            return False
        self.parts.append(block)
        return True

    def _refuse_long(self) -> None:
        if self.is_open:
            fault = self._unclosed()
            raise LimitError(fault.message, hint=fault.hint)
        fault = self._fault(self.line, f"is longer than {self.longest:,} bytes")
        raise LimitError(fault.message, hint="the policy's limits: {line: ...} allows more")

    def end(self) -> None:
        """Check what stands behind the last line break.

        Raises
        ------
        DataError
            As above, or if a quote is never closed.
        """
        tail = b"".join((self.tail, *self.parts))
        tail = tail[self._read_slowly(tail) :] if self.parts else tail
        if tail and self._read_slowly(tail + b"\n") <= len(tail):
            raise self._unclosed()

    def refuse_other_columns(self, first: "CsvLines") -> None:
        """Refuse a file that the names of the first one's columns do not fit; DataError.

        Where headers name the columns, the scan compares the names.

        Parameters
        ----------
        first : the first file of the table.
        """
        hint = "the files of one table hold the same columns"
        if not self.header and self.width != first.width:
            mine, theirs = _fields(self.width or 0), _fields(first.width or 0)
            words = f"{self.name}: a row has {mine}, and {theirs} in {first.name}"
            raise DataError(words, hint=hint)
        if self.header and self.named and self.first != first.first:
            words = f"{self.name}: the header is another one than in {first.name}"
            raise DataError(f"{words}, and data.csv.columns replaces both", hint=hint)

    def _read_quickly(self, data: bytes) -> int:
        """Return how many bytes are whole rows, if numpy finds each as it should be; else 0."""
        import numpy as np  # noqa: PLC0415 - slow to import

        if not self.width or (self.width == 1 and BLANK.search(data)):
            return 0
        text = np.frombuffer(data, np.uint8)
        ends = text == NEWLINE
        marks = text == ord(self.separator)
        marks |= ends
        outside = None
        if quoted := b'"' in data:
            outside = np.logical_not(np.logical_xor.accumulate(text == QUOTE))
            ends &= outside
            marks &= outside
        places = np.flatnonzero(marks)
        last = ends[places[self.width - 1 :: self.width]]
        if not last.size or not last.all() or last.size != np.count_nonzero(ends):
            return 0
        done = int(places[last.size * self.width - 1]) + 1
        if outside is not None and not self._quotes_fit(text[:done], outside):
            return 0
        if b"\r" in data:
            alone = (text[: done - 1] == RETURN) & ~ends[1:done]
            if (alone if outside is None else alone & outside[: done - 1]).any():
                return 0
        self.is_open = False
        self.records += last.size
        self.line += data.count(b"\n", 0, done) if quoted else last.size
        return done

    def _read_slowly(self, data: bytes) -> int:
        """Check lines one by one; return how many bytes are whole rows."""
        done = reached = fields = 0
        line, self.is_open = self.line, False
        for text in data.split(b"\n")[:-1]:
            reached += len(text) + 1
            fields = fields if self.is_open else 1
            if self.is_open or b'"' in text or b"\r" in text[:-1]:
                fields += self._separators(text, line)
            else:
                fields += text.count(self.separator)
            line += 1
            if not self.is_open:
                self._refuse_other(fields, blank=text in (b"", b"\r"))
                self.first = self.first or data[:reached].rstrip(b"\r\n")
                done, self.line = reached, line
                self.records += 1
        return done

    def _separators(self, text: bytes, line: int) -> int:
        """Return how many separators of a line stand outside of quotes, which may be open."""
        if self.is_open and b'"' not in text.replace(b'""', b""):
            return 0  # nothing but doubled quotes inside of a value
        separators, before = 0, b""
        for i, part in enumerate(text.removesuffix(b"\r").split(b'"')):
            if i:
                beside = part.startswith if self.is_open else before.endswith
                if not beside(self.separator) and (part if self.is_open else before):
                    raise self._stray_quote(line)
                if not self.is_open and (i == 1 or before):
                    self.opened = line
                self.is_open = not self.is_open
            if not self.is_open and b"\r" in part:
                hint = "lines end in LF or CR LF; a value that holds another one stands in quotes"
                raise self._fault(line, "has a carriage return inside a value", hint)
            if not self.is_open:
                separators += part.count(self.separator)
            before = part
        return separators

    def _quotes_fit(self, text: "NDArray[np.uint8]", outside: "NDArray[np.bool_]") -> bool:
        """Whether quotes stand at the start and at the end of fields, and are doubled inside."""
        import numpy as np  # noqa: PLC0415 - as above

        quotes = np.flatnonzero(text == QUOTE)
        before, after = text[quotes - 1], text[quotes + 1]
        if quotes.size and not quotes[0]:
            before[0] = NEWLINE
        returns = np.flatnonzero(after == RETURN)
        after[returns[text[quotes[returns] + 2] == NEWLINE]] = NEWLINE
        closes = outside[quotes]
        beside = np.where(closes, after, before)
        fits = (beside == ord(self.separator)) | (beside == NEWLINE) | (beside == QUOTE)
        return bool(fits.all())

    def _refuse_other(self, fields: int, *, blank: bool) -> None:
        """Refuse a row of more or fewer fields than the first, and a line that is none."""
        if blank:
            hint = 'delete it; a missing value in a table of one column is written ""'
            raise self._fault(self.line, "is blank", hint)
        if self.width is None:
            self.width = fields
        if fields == self.width:
            return
        first = "the header has" if self.header else "the first row has"
        expected = first if self.named is None else "data.csv.columns names"
        hint = "check the separator; a value that holds it, or a line break, stands in quotes"
        raise self._fault(self.line, f"has {_fields(fields)}, and {expected} {self.width:,}", hint)

    def _stray_quote(self, line: int) -> DataError:
        words = "has a quote inside a value"
        if self.is_open and self.opened != line:
            words += f", or a quote opens in line {self.opened:,} that is not meant to"
        return self._fault(line, words, 'quote the value and double the quote: "24"" wide"')

    def _unclosed(self) -> DataError:
        hint = 'a quote that belongs to a value is doubled: "24"" wide"'
        return self._fault(self.opened, "opens a quote that is never closed", hint)

    def _fault(self, line: int, words: str, hint: str | None = None) -> DataError:
        return DataError(f"{self.name}: line {line:,} {words}", hint=hint)


class JsonLines:
    """Checks lines of JSON, of which none may be too long to be held.

    Parameters
    ----------
    name : what messages call the file.
    longest : the bytes of a line.
    """

    def __init__(self, name: str, longest: int) -> None:
        self.name, self.longest = name, longest
        self.line, self.length = 1, 0

    def read(self, block: bytes | memoryview) -> None:
        """Follow the next bytes; LimitError if a line is too long."""
        text = bytes(block)
        first = text.find(b"\n")
        if len(text) > self.longest or self.length + len(text[:first]) > self.longest:
            lengths = [len(line) for line in text.split(b"\n")]
            lengths[0] += self.length
            if long := [i for i, length in enumerate(lengths) if length > self.longest]:
                words = f"line {self.line + long[0]:,} is longer than {self.longest:,} bytes"
                hint = "the policy's limits: {line: ...} allows more"
                raise LimitError(f"{self.name}: {words}", hint=hint)
        self.line += text.count(b"\n")
        self.length = self.length + len(text) if first < 0 else len(text) - text.rfind(b"\n") - 1


def not_utf8(name: str) -> DataError:
    """Return the error of a text in another encoding.

    Parameters
    ----------
    name : what messages call the file.
    """
    hint = "convert it, for example: iconv -f latin1 -t utf-8 old.csv > new.csv"
    return DataError(f"{name}: the text is not UTF-8", hint=hint)


def _fields(count: int) -> str:
    return f"{count:,} field{'' if count == 1 else 's'}"
