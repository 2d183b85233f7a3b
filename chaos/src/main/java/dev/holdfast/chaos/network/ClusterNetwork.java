package dev.holdfast.chaos.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The network of one cluster, within the private network of this process: each disruptable node in
/// a namespace of its own, and home, where the proxy, the store and the clients are. All packets
/// between them go through one switch.
public final class ClusterNetwork {
  /// The proxy and the clients.
  public static final int PROXY = 1;

  /// The store has an address of its own, so that it can be cut off alone.
  public static final int STORE = 2;

  private static final int FIRST_NODE = 11;
  private static final int NODES_MAX = 200;
  private static final String NETWORK = "10.77.0.";
  private static final String HOME = "home";

  private final PacketFaults faults = new PacketFaults();
  private final PacketSwitch packets;

  private ClusterNetwork(Map<Integer, TunDevice> devices) {
    this.packets = new PacketSwitch(devices, faults);
  }

  /// @param nodes that can be disrupted
  public static ClusterNetwork create(int nodes) throws IOException, InterruptedException {
    if (nodes > NODES_MAX) {
      throw new IOException("too many nodes for a network [nodes=" + nodes + "]");
    }
    Map<Integer, TunDevice> devices = new HashMap<>();
    TunDevice home = TunDevice.create(HOME);
    run("addr", "add", NETWORK + PROXY + "/24", "dev", HOME);
    run("addr", "add", NETWORK + STORE + "/32", "dev", HOME);
    run("link", "set", HOME, "up");
    devices.put(PROXY, home);
    devices.put(STORE, home);
    for (int i = 0; i < nodes; i++) {
      String name = "node" + i;
      devices.put(FIRST_NODE + i, TunDevice.create(name));
      run("netns", "add", name);
      run("link", "set", name, "netns", name);
      run("-n", name, "link", "set", "lo", "up");
      run("-n", name, "addr", "add", NETWORK + (FIRST_NODE + i) + "/24", "dev", name);
      run("-n", name, "link", "set", name, "up");
    }
    ClusterNetwork network = new ClusterNetwork(devices);
    network.packets.start();
    return network;
  }

  /// @param number of the node, from 0
  public NodeAddress node(int number, int port) {
    return new NodeAddress(
        NETWORK + (FIRST_NODE + number), port, List.of("ip", "netns", "exec", "node" + number));
  }

  public NodeAddress proxy(int port) {
    return new NodeAddress(NETWORK + PROXY, port, List.of());
  }

  public static String storeHost() {
    return NETWORK + STORE;
  }

  /// The last byte of a place's address.
  public static int host(NodeAddress place) {
    return Integer.parseInt(place.host().substring(NETWORK.length()));
  }

  public PacketFaults faults() {
    return faults;
  }

  @Override
  public String toString() {
    return "packets carried " + packets.carried() + ", lost " + packets.lost();
  }

  private static void run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + said.strip());
    }
  }
}
