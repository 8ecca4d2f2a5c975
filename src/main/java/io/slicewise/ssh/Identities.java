package io.slicewise.ssh;

import com.jcraft.jsch.AgentIdentityRepository;
import com.jcraft.jsch.AgentProxyException;
import com.jcraft.jsch.Identity;
import com.jcraft.jsch.IdentityRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SSHAgentConnector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Vector;

/**
 * The keys to offer: first those of files without a passphrase, then the agent's, starting with
 * those of protected files. The library would add file keys to the user's agent; this repository
 * does not.
 *
 * @param locked the key files that need a passphrase, so can only be used through an agent
 */
record Identities(List<Identity> keys, List<Path> locked) implements IdentityRepository {
  Identities {
    keys = List.copyOf(keys);
    locked = List.copyOf(locked);
  }

  static Identities of(List<Path> files, Optional<Path> agentSocket) throws JSchException {
    List<Identity> open = new ArrayList<>();
    List<byte[]> protectedKeys = new ArrayList<>();
    List<Path> locked = new ArrayList<>();
    for (Path file : files) {
      Identity key = load(file);
      if (key.isEncrypted()) {
        locked.add(file);
        protectedKeys.add(key.getPublicKeyBlob());
      } else {
        open.add(key);
      }
    }
    List<Identity> agent = new ArrayList<>(ofAgent(agentSocket));
    List<Identity> preferred =
        agent.stream()
            .filter(
                key ->
                    protectedKeys.stream()
                        .anyMatch(blob -> Arrays.equals(blob, key.getPublicKeyBlob())))
            .toList();
    open.addAll(preferred);
    agent.removeAll(preferred);
    open.addAll(agent);
    return new Identities(open, locked);
  }

  private static Identity load(Path file) throws JSchException {
    JSch reader = new JSch();
    reader.addIdentity(file.toString());
    return reader.getIdentityRepository().getIdentities().get(0);
  }

  private static List<Identity> ofAgent(Optional<Path> socket) {
    if (socket.isEmpty()) {
      return List.of();
    }
    try {
      return new AgentIdentityRepository(new SSHAgentConnector(socket.get())).getIdentities();
    } catch (AgentProxyException e) {
      // An agent that no longer runs is treated as none: the login decides.
      return List.of();
    }
  }

  @Override
  @SuppressWarnings("JdkObsolete") // required by the library's interface
  public Vector<Identity> getIdentities() {
    return new Vector<>(keys);
  }

  @Override
  public String getName() {
    return "files and agent";
  }

  @Override
  public int getStatus() {
    return RUNNING;
  }

  @Override
  public boolean add(byte[] identity) {
    return false;
  }

  @Override
  public boolean remove(byte[] blob) {
    return false;
  }

  @Override
  public void removeAll() {
    // Keys are never removed.
  }
}
