package io.slicewise.load.spread;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Splits a number by weights, by the largest remainder; the first of equal remainders comes first.
 */
public final class Shares {
  private Shares() {}

  /** Returns the parts, in the order of the weights; their sum is {@code total}. */
  public static List<Integer> split(int total, List<Integer> weights) {
    long sum = weights.stream().mapToLong(Integer::intValue).sum();
    List<Integer> parts = new ArrayList<>();
    List<Long> remainders = new ArrayList<>();
    for (int weight : weights) {
      BigInteger[] share =
          BigInteger.valueOf(total)
              .multiply(BigInteger.valueOf(weight))
              .divideAndRemainder(BigInteger.valueOf(sum));
      parts.add(share[0].intValueExact());
      remainders.add(share[1].longValueExact());
    }
    int left = total - parts.stream().mapToInt(Integer::intValue).sum();
    IntStream.range(0, weights.size())
        .boxed()
        .sorted(Comparator.comparing(remainders::get, Comparator.reverseOrder()))
        .limit(left)
        .forEach(place -> parts.set(place, parts.get(place) + 1));
    return List.copyOf(parts);
  }
}
