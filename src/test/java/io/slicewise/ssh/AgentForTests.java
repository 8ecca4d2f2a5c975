package io.slicewise.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.agent.common.AbstractAgentClient;
import org.apache.sshd.agent.local.AgentImpl;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.config.keys.loader.KeyPairResourceLoader;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.security.SecurityUtils;

/** An SSH agent on a Unix socket, speaking the agent protocol. */
final class AgentForTests implements AutoCloseable {
  private static final byte SIGN_REQUEST = 13;

  private final AgentImpl keys = new AgentImpl();
  private final Path socket;
  private final ServerSocketChannel listening;
  private final AtomicInteger signatures = new AtomicInteger();

  private AgentForTests(Path socket, ServerSocketChannel listening) {
    this.socket = socket;
    this.listening = listening;
  }

  static AgentForTests holding(Path keyFile, String passphrase, Path socket) throws Exception {
    ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listening.bind(UnixDomainSocketAddress.of(socket));
    AgentForTests agent = new AgentForTests(socket, listening);
    KeyPairResourceLoader loader = SecurityUtils.getKeyPairResourceParser();
    agent.keys.addIdentity(
        loader.loadKeyPairs(null, keyFile, FilePasswordProvider.of(passphrase)).iterator().next(),
        "test");
    Thread thread = new Thread(agent::serve, "agent");
    thread.setDaemon(true);
    thread.start();
    return agent;
  }

  Path socket() {
    return socket;
  }

  int signatures() {
    return signatures.get();
  }

  private void serve() {
    try {
      while (true) {
        try (SocketChannel client = listening.accept()) {
          new Conversation(client).run();
        }
      }
    } catch (ClosedChannelException e) {
      // The test is over.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Conversation extends AbstractAgentClient {
    private final InputStream in;
    private final OutputStream out;

    Conversation(SocketChannel client) {
      super(keys);
      in = Channels.newInputStream(client);
      out = Channels.newOutputStream(client);
    }

    void run() throws IOException {
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        if (n > 4 && buffer[4] == SIGN_REQUEST) {
          signatures.incrementAndGet();
        }
        messageReceived(new ByteArrayBuffer(buffer.clone(), 0, n));
      }
    }

    @Override
    protected void reply(Buffer reply) throws IOException {
      out.write(reply.array(), reply.rpos(), reply.available());
      out.flush();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
