package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.HostFiles;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the kernel of a lab's host keeps in files. They are read and written as on Linux, and have
 * no effect: the lab's guests have no memory, and its disk one order.
 */
final class KernelSettings {
  private KernelSettings() {}

  static void into(HostFiles files) {
    choice(files, "/sys/kernel/mm/transparent_hugepage/enabled", 1, "always", "madvise", "never");
    choice(files, "/sys/block/xvda/queue/scheduler", 0, "none", "mq-deadline", "kyber", "bfq");
    number(files, "/sys/block/xvda/queue/read_ahead_kb", 128);
    number(files, "/proc/sys/vm/swappiness", 60);
    files.generate("/sys/block/xvda/size", () -> "8388608\n");
  }

  /** Adds a file that shows all words, with the chosen one in brackets. */
  private static void choice(HostFiles files, String path, int first, String... words) {
    AtomicReference<String> chosen = new AtomicReference<>(words[first]);
    List<String> all = List.of(words);
    files.generate(
        path,
        () ->
            String.join(
                    " ",
                    all.stream()
                        .map(word -> word.equals(chosen.get()) ? "[" + word + "]" : word)
                        .toList())
                + "\n",
        text -> chosen.set(known(all, text.strip())));
  }

  private static String known(List<String> words, String text) {
    if (!words.contains(text)) {
      throw new IllegalArgumentException("Invalid argument");
    }
    return text;
  }

  private static void number(HostFiles files, String path, int first) {
    AtomicReference<Integer> value = new AtomicReference<>(first);
    files.generate(
        path, () -> value.get() + "\n", text -> value.set(Integer.valueOf(text.strip())));
  }
}
