package io.slicewise.sweep.imported;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects how names of files are read, whatever stands between the parts. */
class FilePatternTest {
  private static final Load NONE = new Load(Map.of());

  @Test
  void readsProfileUsersAndRepetition() {
    FilePattern pattern =
        FilePattern.of("old/{profile}/u{users}/run {repetition} (*).jtl", FileNames.NONE);
    assertThat(pattern.base()).isEqualTo(Path.of("old"));
    assertThat(pattern.match(Path.of("old/credit-256/u500/run 3 (final).jtl")))
        .contains(
            new FilePattern.Parts(
                "credit-256", Load.of(500), 3, new FilePattern.Names("credit-256", "500", "3")));
    assertThat(pattern.match(Path.of("old/credit-256/u500/run 3.jtl"))).isEmpty();
  }

  @Test
  void readsNeighbours() {
    FilePattern pattern = FilePattern.of("{profile}/{neighbours}-{repetition}.jtl", FileNames.NONE);
    assertThat(pattern.match(Path.of("./w/3-1.jtl")))
        .contains(
            new FilePattern.Parts(
                "w",
                NONE.with(Axis.NEIGHBOURS, Level.of(3)),
                1,
                new FilePattern.Names("w", "", "1")));
  }

  @Test
  void readsRatesAndParts() {
    FilePattern pattern =
        FilePattern.of("{profile}/{rate}-{part}-{repetition}.jtl", FileNames.NONE);
    assertThat(pattern.match(Path.of("./w/2.5-q06-1.jtl")))
        .contains(
            new FilePattern.Parts(
                "w",
                NONE.with(Axis.RATE, Level.of(2.5)).only("q06"),
                1,
                new FilePattern.Names("w", "", "1")));
  }

  @Test
  void takesEverythingElseAsItStands() {
    FilePattern pattern = FilePattern.of("/a.b/{profile}+{repetition}.jtl", FileNames.NONE);
    assertThat(pattern.match(Path.of("/a.b/x+1.jtl")))
        .contains(new FilePattern.Parts("x", NONE, 1, new FilePattern.Names("x", "", "1")));
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
                "credit-512", Load.of(1), 2, new FilePattern.Names("w512", "lowest", "b")));
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
