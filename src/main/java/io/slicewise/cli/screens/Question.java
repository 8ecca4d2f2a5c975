package io.slicewise.cli.screens;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Scanner;

/** A question that only a person at the terminal answers. */
public final class Question {
  private Question() {}

  /** Asks, and returns whether the answer is yes; no answer is no. */
  public static boolean agreed(PrintWriter out, String question) {
    out.print(question + " [y/N] ");
    out.flush();
    Scanner input = new Scanner(System.in, Charset.defaultCharset());
    return input.hasNextLine()
        && input.nextLine().strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }
}
