package io.slicewise.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;

/** Protects the texts of others: the pattern of a text matches that text and no other. */
class UndoTest {
  @Property(tries = 500)
  void aLiteralMatchesItsTextAlone(
      @ForAll @CharRange(from = ' ', to = '~') @StringLength(max = 8) String text,
      @ForAll @CharRange(from = ' ', to = '~') @StringLength(max = 8) String other) {
    Pattern literal = Pattern.compile(Undo.literally(text));
    assertThat(literal.matcher(text).matches()).isTrue();
    assertThat(literal.matcher(other).matches()).isEqualTo(other.equals(text));
    assertThat(literal.matcher(text.replaceFirst("[^A-Z]", "Q")).matches())
        .isEqualTo(text.matches("[A-Z]*"));
  }
}
