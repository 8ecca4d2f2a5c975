package io.slicewise.tune;

import java.util.Arrays;

/** Sums of the log ratios of all pairs of candidates in the blocks of one session. */
final class PairSums {
  private int[][] blocks;
  private double[][] means;
  private double[][] squares;

  PairSums(int candidates) {
    blocks = new int[candidates][candidates];
    means = new double[candidates][candidates];
    squares = new double[candidates][candidates];
  }

  void enter() {
    int size = blocks.length + 1;
    blocks = Arrays.copyOf(blocks, size);
    means = Arrays.copyOf(means, size);
    squares = Arrays.copyOf(squares, size);
    for (int i = 0; i < size; i++) {
      blocks[i] = i < size - 1 ? Arrays.copyOf(blocks[i], size) : new int[size];
      means[i] = i < size - 1 ? Arrays.copyOf(means[i], size) : new double[size];
      squares[i] = i < size - 1 ? Arrays.copyOf(squares[i], size) : new double[size];
    }
  }

  /** Adds ln(x_low / x_high) of one block. */
  void add(int low, int high, double logRatio) {
    int n = ++blocks[low][high];
    double step = logRatio - means[low][high];
    means[low][high] += step / n;
    squares[low][high] += step * (logRatio - means[low][high]);
  }

  int blocks(int low, int high) {
    return blocks[low][high];
  }

  double mean(int low, int high) {
    return means[low][high];
  }

  /** Returns the sum of squares around the mean. */
  double squares(int low, int high) {
    return squares[low][high];
  }
}
