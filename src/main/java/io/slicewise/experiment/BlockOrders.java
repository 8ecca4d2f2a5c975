package io.slicewise.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Orders of the profiles in the blocks of a session, balanced for first-order carry-over where the
 * number of blocks allows it: in a Williams square (E. J. Williams, "Experimental designs balanced
 * for the estimation of residual effects of treatments", Australian Journal of Scientific Research
 * A 2, 1949; B. Jones and M. G. Kenward, "Design and Analysis of Cross-Over Trials", 3rd ed., 2014,
 * section 4.2.2) each profile has each position once, and follows each other profile equally often
 * within blocks. A square takes as many blocks as there are profiles if their number is even,
 * otherwise twice as many; half of such a square still has each profile once in each position.
 * Remaining blocks are drawn at random.
 */
public final class BlockOrders {
  private BlockOrders() {}

  /** Returns the number of blocks in a balanced square of that many profiles. */
  public static int square(int profiles) {
    return profiles % 2 == 0 ? profiles : 2 * profiles;
  }

  /**
   * Returns that many orders of the numbers 0 to {@code profiles} − 1. The places of the profiles
   * in the squares and the order of a square's rows are random.
   */
  public static List<List<Integer>> of(int profiles, int blocks, Random random) {
    List<List<Integer>> orders = new ArrayList<>();
    while (blocks - orders.size() >= square(profiles)) {
      orders.addAll(shuffled(williams(profiles), random));
    }
    if (blocks - orders.size() >= profiles) {
      orders.addAll(shuffled(half(profiles, random.nextBoolean()), random));
    }
    while (orders.size() < blocks) {
      List<Integer> order = numbers(profiles);
      Collections.shuffle(order, random);
      orders.add(List.copyOf(order));
    }
    return List.copyOf(orders);
  }

  /** Returns the rows of an odd square that are mirrored, or those that are not. */
  private static List<List<Integer>> half(int profiles, boolean mirrored) {
    List<List<Integer>> rows = williams(profiles);
    return IntStream.range(0, profiles)
        .mapToObj(row -> rows.get(2 * row + (mirrored ? 1 : 0)))
        .toList();
  }

  private static List<List<Integer>> shuffled(List<List<Integer>> square, Random random) {
    List<Integer> names = numbers(square.get(0).size());
    Collections.shuffle(names, random);
    List<List<Integer>> rows = new ArrayList<>();
    for (List<Integer> row : square) {
      rows.add(row.stream().map(names::get).toList());
    }
    Collections.shuffle(rows, random);
    return rows;
  }

  /**
   * Returns the cyclic square of the zigzag 0, 1, n−1, 2, n−2, …, whose differences are all
   * different; for an odd number also its mirror image, since one square alone cannot be balanced.
   */
  private static List<List<Integer>> williams(int n) {
    List<List<Integer>> rows = new ArrayList<>();
    for (int shift = 0; shift < n; shift++) {
      List<Integer> row = new ArrayList<>();
      for (int place = 0; place < n; place++) {
        int zigzag = place % 2 == 1 ? (place + 1) / 2 : (n - place / 2) % n;
        row.add((zigzag + shift) % n);
      }
      rows.add(row);
      if (n % 2 == 1) {
        List<Integer> mirrored = new ArrayList<>(row);
        Collections.reverse(mirrored);
        rows.add(mirrored);
      }
    }
    return rows;
  }

  private static List<Integer> numbers(int count) {
    return new ArrayList<>(IntStream.range(0, count).boxed().toList());
  }
}
