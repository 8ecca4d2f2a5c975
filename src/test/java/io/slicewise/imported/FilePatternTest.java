package io.slicewise.imported;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects how names of files are read, whatever stands between the parts. */
class FilePatternTest {
  @Test
  void readsProfileUsersAndRepetition() {
    FilePattern pattern = FilePattern.of("old/{profile}/u{users}/run {repetition} (*).jtl");
    assertThat(pattern.base()).isEqualTo(Path.of("old"));
    assertThat(pattern.match(Path.of("old/credit-256/u500/run 3 (final).jtl")))
        .contains(new FilePattern.Told("credit-256", Optional.of(500), 3));
    assertThat(pattern.match(Path.of("old/credit-256/u500/run 3.jtl"))).isEmpty();
  }

  @Test
  void takesEverythingElseAsItStands() {
    FilePattern pattern = FilePattern.of("/a.b/{profile}+{repetition}.jtl");
    assertThat(pattern.match(Path.of("/a.b/x+1.jtl")))
        .contains(new FilePattern.Told("x", Optional.empty(), 1));
    assertThat(pattern.match(Path.of("/a.b/xx1.jtl"))).isEmpty();
    assertThat(pattern.match(Path.of("/a.b/x+1xjtl"))).isEmpty();
  }

  @Test
  void wantsTheSameWhereAPartIsNamedTwice() {
    FilePattern pattern = FilePattern.of("{profile}/{profile}-{users}-{repetition}.xml");
    assertThat(pattern.match(Path.of("./sedf/sedf-5-1.xml"))).isPresent();
    assertThat(pattern.match(Path.of("./sedf/credit-5-1.xml"))).isEmpty();
  }
}
