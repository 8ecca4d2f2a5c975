package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockOrdersTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 10, 11, 13})
  void aSquareHasEachProfileAtEachPlaceAndBehindEachOtherEquallyOften(int profiles) {
    int square = BlockOrders.square(profiles);
    List<List<Integer>> orders = BlockOrders.of(profiles, square, new Random(7));
    Map<String, Integer> places = new HashMap<>();
    Map<String, Integer> followers = new HashMap<>();
    for (List<Integer> order : orders) {
      assertWhole(order, profiles);
      for (int place = 0; place < profiles; place++) {
        places.merge(order.get(place) + " at " + place, 1, Integer::sum);
        if (place > 0) {
          followers.merge(order.get(place - 1) + " then " + order.get(place), 1, Integer::sum);
        }
      }
    }
    assertThat(orders).hasSize(square);
    assertThat(places).hasSize(profiles * profiles);
    assertThat(places.values()).containsOnly(square / profiles);
    assertThat(followers).hasSize(profiles * (profiles - 1));
    assertThat(followers.values()).containsOnly(square / profiles);
  }

  @Test
  void blocksBehindTheLastWholeSquareAreCompleteToo() {
    List<List<Integer>> orders = BlockOrders.of(4, 7, new Random(1));
    assertThat(orders).hasSize(7);
    orders.forEach(order -> assertWhole(order, 4));
  }

  @Test
  void theSameSeedGivesTheSameOrdersAndAnotherOneOthers() {
    assertThat(BlockOrders.of(5, 10, new Random(3)))
        .isEqualTo(BlockOrders.of(5, 10, new Random(3)))
        .isNotEqualTo(BlockOrders.of(5, 10, new Random(4)));
  }

  private static void assertWhole(List<Integer> order, int profiles) {
    assertThat(order)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, profiles).boxed().toList());
  }

  @Test
  void halfAnOddSquareHasEachProfileOnceInEachPosition() {
    List<List<Integer>> orders = BlockOrders.of(5, 6, new Random(2));

    for (int position = 0; position < 5; position++) {
      int place = position;
      assertThat(orders.subList(0, 5))
          .extracting(order -> order.get(place))
          .containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }
  }
}
