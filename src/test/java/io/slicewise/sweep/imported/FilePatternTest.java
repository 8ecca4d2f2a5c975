package io.slicewise.sweep.imported;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects how names of files are read, whatever stands between the parts. */
class FilePatternTest {
  @Test
  void readsProfileUsersAndRepetition() {
    FilePattern pattern =
        FilePattern.of("old/{profile}/u{users}/run {repetition} (*).jtl", FileNames.NONE);
    assertThat(pattern.base()).isEqualTo(Path.of("old"));
    assertThat(pattern.match(Path.of("old/credit-256/u500/run 3 (final).jtl")))
        .contains(
            new FilePattern.Parts(
                "credit-256",
                Optional.of(500),
                Optional.empty(),
                3,
                new FilePattern.Names("credit-256", "500", "3")));
    assertThat(pattern.match(Path.of("old/credit-256/u500/run 3.jtl"))).isEmpty();
  }

  @Test
  void readsNeighbours() {
    FilePattern pattern = FilePattern.of("{profile}/{neighbours}-{repetition}.jtl", FileNames.NONE);
    assertThat(pattern.match(Path.of("./w/3-1.jtl")))
        .contains(
            new FilePattern.Parts(
                "w", Optional.empty(), Optional.of(3), 1, new FilePattern.Names("w", "", "1")));
  }

  @Test
  void takesEverythingElseAsItStands() {
    FilePattern pattern = FilePattern.of("/a.b/{profile}+{repetition}.jtl", FileNames.NONE);
    assertThat(pattern.match(Path.of("/a.b/x+1.jtl")))
        .contains(
            new FilePattern.Parts(
                "x", Optional.empty(), Optional.empty(), 1, new FilePattern.Names("x", "", "1")));
    assertThat(pattern.match(Path.of("/a.b/xx1.jtl"))).isEmpty();
    assertThat(pattern.match(Path.of("/a.b/x+1xjtl"))).isEmpty();
  }

  @Test
  void takesNamesForNumbersAndTheLongestOfThem() {
    FileNames names =
        new FileNames(
            Map.of("w512", "credit-512"), Map.of("low", 5, "lowest", 1), Map.of("a", 1, "b", 2));
    FilePattern pattern = FilePattern.of("{profile}{users}{repetition}.jtl", names);
    assertThat(pattern.match(Path.of("./w512lowestb.jtl")))
        .contains(
            new FilePattern.Parts(
                "credit-512",
                Optional.of(1),
                Optional.empty(),
                2,
                new FilePattern.Names("w512", "lowest", "b")));
    assertThat(pattern.match(Path.of("./w512lowc.jtl"))).isEmpty();
  }

  @Test
  void wantsTheSameWhereAPartIsNamedTwice() {
    FilePattern pattern =
        FilePattern.of("{profile}/{profile}-{users}-{repetition}.xml", FileNames.NONE);
    assertThat(pattern.match(Path.of("./sedf/sedf-5-1.xml"))).isPresent();
    assertThat(pattern.match(Path.of("./sedf/credit-5-1.xml"))).isEmpty();
  }
}
