/**
 * The SSH server of the embedded host, with key authentication, commands and SFTP, and the scripted
 * faults of connections and commands.
 */
package io.slicewise.lab.daemon;
