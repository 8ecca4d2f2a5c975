package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Protects the names of classes and methods that the launcher gives to the compiler: of one that
 * has changed the JVM says nothing, and {@code reduce} only becomes slow.
 */
class LauncherTest {
  private static final Pattern HOT = Pattern.compile("([\\w$]+)::(\\*|\\w+)");

  @Test
  void namesLoopsThatThereAre() throws IOException {
    List<String> hot =
        HOT.matcher(Files.readString(Path.of("slicewise")))
            .results()
            .map(found -> found.group())
            .toList();

    assertThat(hot).hasSizeGreaterThan(5).allMatch(LauncherTest::isThere);
  }

  private static boolean isThere(String hot) {
    String[] names = hot.split("::", -1);
    try {
      Class<?> named = Class.forName("io.slicewise.load.jtl." + names[0]);
      return names[1].equals("*")
          || Arrays.stream(named.getDeclaredMethods())
              .anyMatch(method -> method.getName().equals(names[1]));
    } catch (ClassNotFoundException gone) {
      return false;
    }
  }
}
