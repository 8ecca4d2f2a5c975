package io.slicewise.load.jtl;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Counts samples in a process of its own, on the machine where they are. Its arguments are the file
 * of samples, that of the {@link SampleCount}, and that of the result. Both ends run the same jars,
 * so objects are exchanged as Java writes them; nothing but our own classes and the JDK's is read.
 */
public final class CountProgram {
  private static final ObjectInputFilter OURS =
      ObjectInputFilter.Config.createFilter("io.slicewise.**;org.HdrHistogram.*;java.base/*;!*");

  private static final int BLOCK = 1 << 16;

  private CountProgram() {}

  public static void main(String[] arguments) throws IOException {
    try {
      SampleCount<?> count = read(Path.of(arguments[1]), SampleCount.class);
      write(count.of(Path.of(arguments[0])), Path.of(arguments[2]));
    } catch (SlicewiseException fault) {
      write(new Fault(fault.getMessage(), fault.hint()), Path.of(arguments[2]));
    }
  }

  /** Why there is no count. */
  private record Fault(String sentence, String hint) implements Serializable {}

  /** Writes a count, or what one found. */
  public static void write(Serializable value, Path file) throws IOException {
    try (ObjectOutputStream out =
        new ObjectOutputStream(new GZIPOutputStream(Files.newOutputStream(file), BLOCK))) {
      out.writeObject(value);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws SlicewiseException if the samples could not be counted
   * @throws IOException if it is anything else
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try (ObjectInputStream in =
        new ObjectInputStream(new GZIPInputStream(Files.newInputStream(file), BLOCK))) {
      in.setObjectInputFilter(OURS);
      Object read = in.readObject();
      if (read instanceof Fault fault) {
        throw new SlicewiseException(ErrorKind.NO_VALID_DATA, fault.sentence(), fault.hint());
      }
      return type.cast(read);
    } catch (ClassNotFoundException | ClassCastException foreign) {
      throw new IOException("it was not written by this program: " + foreign.getMessage(), foreign);
    }
  }
}
