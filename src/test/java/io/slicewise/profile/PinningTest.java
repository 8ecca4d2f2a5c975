package io.slicewise.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects half of a change from being taken for someone else's: vCPUs are pinned one by one. */
class PinningTest {
  @ParameterizedTest
  @CsvSource({
    "0/all, true",
    "0/0-1, true",
    "1/all, true",
    "1/0-1, true",
    "all, false",
    "0, false",
    "2/all, false"
  })
  void eachVcpuHasAValueOfItsOwnOnTheWay(String read, boolean known) {
    assertThat(new Pinning(true, true).isOnTheWay(read, List.of("1/all", "0/0-1")))
        .isEqualTo(known);
  }

  @ParameterizedTest
  @CsvSource({"0-3/2, true", "2/0-3, true", "2, true", "0-3, true", "0-3/1, false"})
  void oneValueForAllIsThatOfEach(String read, boolean known) {
    assertThat(new Pinning(true, true).isOnTheWay(read, List.of("0-3", "2"))).isEqualTo(known);
  }
}
