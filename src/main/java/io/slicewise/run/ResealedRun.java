package io.slicewise.run;

import io.slicewise.run.journal.JournalHead;
import io.slicewise.run.journal.JournalLines;
import io.slicewise.run.journal.Seal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes the text of a copied run's sealed files, and seals them again. */
public final class ResealedRun {
  private static final Pattern END =
      Pattern.compile(",\"line\":(\\d{1,9}),\"after\":\"[0-9a-f]{16}\",\"sum\":\"[0-9a-f]{16}\"}$");

  private final Path root;
  private final UnaryOperator<String> change;

  /**
   * @param root of the copy
   * @param change of any part of a text
   */
  public ResealedRun(Path root, UnaryOperator<String> change) {
    this.root = root;
    this.change = change;
  }

  /** Returns whether a file of a run is changed by {@link #change()}. */
  public static boolean isSealed(String path) {
    return path.endsWith(".json") || path.matches("(.*/)?journal[.](jsonl|head)");
  }

  /** Changes all sealed files: trials' records first, whose checksums are in the journal. */
  public void change() throws IOException {
    Map<String, String> sums = new LinkedHashMap<>();
    List<Path> files;
    try (var all = Files.walk(root)) {
      files = all.filter(one -> one.toString().endsWith(".json")).sorted().toList();
    }
    for (Path file : files) {
      String text = Files.readString(file);
      String changed = Seal.resealed(text, change);
      Files.writeString(file, changed);
      Seal.verify(text).ifPresent(before -> sums.put(before, Seal.verify(changed).orElse(before)));
    }
    try (var all = Files.walk(root)) {
      files = all.filter(one -> one.endsWith("journal.jsonl")).sorted().toList();
    }
    for (Path journal : files) {
      journal(journal, sums);
    }
  }

  private void journal(Path file, Map<String, String> sums) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, 0, JournalLines.wholeLines(bytes), StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>();
    String before = Seal.NONE;
    int number = 0;
    for (String line : text.isEmpty() ? List.<String>of() : List.of(text.split("\n"))) {
      Matcher end = END.matcher(line);
      if (!end.find()) {
        lines.add(change.apply(line));
        continue;
      }
      String object = change.apply(line.substring(0, end.start()));
      for (Map.Entry<String, String> sum : sums.entrySet()) {
        object = object.replace("\"" + sum.getKey() + "\"", "\"" + sum.getValue() + "\"");
      }
      number = Integer.parseInt(end.group(1));
      String sealed =
          Seal.line("%s,\"line\":%d,\"after\":\"%s\"}".formatted(object, number, before));
      before = Seal.verify(sealed).orElseThrow();
      lines.add(sealed);
    }
    Files.writeString(file, lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
    if (number > 0) {
      try (JournalHead head = new JournalHead(file)) {
        head.write(number, before);
      }
    }
  }
}
