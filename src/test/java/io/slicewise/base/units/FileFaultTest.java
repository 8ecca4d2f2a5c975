package io.slicewise.base.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Protects plain reasons: what the system really reports is explained without a class's name. */
class FileFaultTest {
  private static final String NO_ANSWER = "there was no answer in time";
  private static final String REFUSED = "the connection was refused: nothing listens there";

  @TempDir private Path directory;

  /** Returns the faults that files cause, with the reasons that are printed. */
  private Map<String, Executable> files() throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "no gzip");
    Path script = Files.writeString(directory.resolve("script"), "not executable");
    Path full = Files.createDirectories(directory.resolve("full/of"));
    Path missing = directory.resolve("missing");
    Map<String, Executable> faults = new LinkedHashMap<>();
    faults.put("there is no such file", () -> Files.readString(missing));
    faults.put("there is no such file ", () -> new FileInputStream(missing.toFile()).close());
    faults.put("it is a directory", () -> Files.readString(directory));
    faults.put("it is a directory ", () -> new FileInputStream(directory.toFile()).close());
    faults.put("it is not a directory", () -> list(file));
    faults.put("a part of its path is not a directory", () -> Files.readString(file.resolve("x")));
    faults.put("it exists already", () -> Files.createDirectory(full));
    faults.put("the directory is not empty", () -> Files.delete(full.getParent()));
    faults.put("its name is too long", () -> Files.readString(directory.resolve("n".repeat(300))));
    faults.put("the disk is full", () -> fill(Path.of("/dev/full")));
    faults.put("it is damaged, or not compressed with gzip", () -> unzip(Files.readAllBytes(file)));
    faults.put("it ends too early", () -> unzip(cut()));
    faults.put("it is not UTF-8 text", () -> Files.readString(Files.write(missing, bytes())));
    faults.put("there is no program slicewise-none", () -> start("slicewise-none"));
    faults.put(script + " cannot be started: access is denied", () -> start(script.toString()));
    return faults;
  }

  /** Returns the faults of connections. */
  private static Map<String, Executable> connections(int closed, int silent) {
    Map<String, Executable> faults = new LinkedHashMap<>();
    faults.put(REFUSED, () -> connect("127.0.0.1", closed));
    faults.put(REFUSED + " ", () -> get("http://127.0.0.1:" + closed + "/"));
    faults.put("the host name no..host is unknown", () -> address());
    faults.put(
        "the host name is unknown",
        () -> connectTo(InetSocketAddress.createUnresolved("xen1", 22)));
    faults.put(NO_ANSWER, () -> get("http://127.0.0.1:" + silent + "/"));
    faults.put("the connection was closed", FileFaultTest::readClosed);
    return faults;
  }

  @Test
  void reasonsOfFilesArePlain() throws IOException {
    files().forEach(FileFaultTest::verify);
  }

  @Test
  void reasonsOfConnectionsArePlain() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    int closed;
    try (ServerSocket free = new ServerSocket(0, 1, here)) {
      closed = free.getLocalPort();
    }
    try (ServerSocket silent = new ServerSocket(0, 1, here)) {
      connections(closed, silent.getLocalPort()).forEach(FileFaultTest::verify);
    }
  }

  @Test
  void namesOfClassesAreNoReasons() {
    assertThat(FileFault.reason(new IOException())).isEqualTo("io");
    assertThat(FileFault.reason(new IllegalStateException())).isEqualTo("illegal state");
    assertThat(FileFault.reason(new IOException("java.lang.Error: java.io.IOException: broken")))
        .isEqualTo("broken");
    assertThat(FileFault.reason(new RuntimeException(new IOException("No space left on device"))))
        .isEqualTo("the disk is full");
    assertThat(FileFault.reason(new IOException("it is larger than 2 MiB")))
        .isEqualTo("it is larger than 2 MiB");
    assertThat(
            FileFault.reason(
                new IOException(new SlicewiseException(ErrorKind.INPUT, "the host left", ""))))
        .isEqualTo("the host left");
    assertThat(FileFault.reason(new OwnFault("the plan cannot be loaded", new EOFException())))
        .isEqualTo("the plan cannot be loaded");
  }

  /** A fault of Slicewise with a sentence of its own. */
  private static final class OwnFault extends Exception {
    private static final long serialVersionUID = 1L;

    OwnFault(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  private static void verify(String reason, Executable failing) {
    assertThat(FileFault.reason(assertThrows(Exception.class, failing))).isEqualTo(reason.strip());
  }

  private static void fill(Path file) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(1);
    }
  }

  private static void unzip(byte[] bytes) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      in.readAllBytes();
    }
  }

  private static byte[] cut() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write("samples".getBytes(StandardCharsets.UTF_8));
    }
    return Arrays.copyOf(bytes.toByteArray(), bytes.size() - 9);
  }

  private static byte[] bytes() {
    return new byte[] {(byte) 0xff, (byte) 0xfe};
  }

  private static void start(String program) throws IOException {
    new ProcessBuilder(List.of(program)).start();
  }

  private static void connect(String host, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port));
    }
  }

  private static void connectTo(InetSocketAddress address) throws IOException {
    try (SocketChannel channel = SocketChannel.open()) {
      channel.connect(address);
    }
  }

  private static void list(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      assertThat(children).isEmpty();
    }
  }

  private static void address() throws IOException {
    assertThat(InetAddress.getAllByName("no..host")).isNotNull();
  }

  private static void get(String uri) throws Exception {
    Duration limit = Duration.ofMillis(500);
    HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).timeout(limit).build();
    HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
  }

  private static void readClosed() throws IOException {
    FileChannel channel = FileChannel.open(Path.of("/dev/null"));
    channel.close();
    channel.read(ByteBuffer.allocate(1));
  }
}
