package dev.holdfast.chaos.network;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Carries packets between TUN devices by the last byte of their IPv4 addresses, as the faults of
/// the moment allow: the kernel's own way (`netem`) is not in every kernel.
final class PacketSwitch {
  /// Of packets that are late on purpose; more are lost, as in a real queue.
  private static final int LATE_MAX = 20_000;

  private static final int HEADER_BYTES_MIN = 20;
  private static final int SOURCE_LAST_BYTE = 15;
  private static final int TARGET_LAST_BYTE = 19;

  private final Map<Integer, TunDevice> devices;
  private final PacketFaults faults;
  private final DelayQueue<Late> late = new DelayQueue<>();
  private final AtomicLong latest = new AtomicLong();
  private final LongAdder carried = new LongAdder();
  private final LongAdder lost = new LongAdder();

  /// @param devices by host; one device may have several hosts
  PacketSwitch(Map<Integer, TunDevice> devices, PacketFaults faults) {
    this.devices = devices;
    this.faults = faults;
  }

  /// Carries packets until the process ends.
  void start() {
    for (TunDevice device : devices.values().stream().distinct().toList()) {
      Thread.ofPlatform().daemon().name("switch-" + device.name()).start(() -> carry(device));
    }
    Thread.ofPlatform().daemon().name("switch-late").start(this::deliver);
  }

  long carried() {
    return carried.sum();
  }

  long lost() {
    return lost.sum();
  }

  private void carry(TunDevice from) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(TunDevice.MTU);
      while (true) {
        int length = from.read(buffer);
        if (length >= HEADER_BYTES_MIN && buffer.get(ValueLayout.JAVA_BYTE, 0) >> 4 == 4) {
          route(buffer.asSlice(0, length));
        }
      }
    } catch (IOException e) {
      System.out.println("the switch has stopped: " + e.getMessage());
    }
  }

  private void route(MemorySegment packet) throws IOException {
    int source = packet.get(ValueLayout.JAVA_BYTE, SOURCE_LAST_BYTE) & 0xff;
    int target = packet.get(ValueLayout.JAVA_BYTE, TARGET_LAST_BYTE) & 0xff;
    TunDevice to = devices.get(target);
    PacketFaults.Fault fault = faults.at(source, target);
    if (to == null
        || ThreadLocalRandom.current().nextDouble() < fault.loss()
        || late.size() >= LATE_MAX) {
      lost.increment();
      return;
    }
    carried.increment();
    if (fault.delay().isZero()) {
      to.write(packet);
      return;
    }
    late.add(
        new Late(
            to,
            MemorySegment.ofArray(packet.toArray(ValueLayout.JAVA_BYTE)),
            System.nanoTime() + fault.delay().toNanos(),
            latest.getAndIncrement()));
  }

  private void deliver() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(TunDevice.MTU);
      while (true) {
        Late next = late.take();
        MemorySegment packet = buffer.asSlice(0, next.packet().byteSize());
        packet.copyFrom(next.packet());
        next.to().write(packet);
      }
    } catch (IOException e) {
      System.out.println("the switch has stopped: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A packet on its long way.
  ///
  /// @param number keeps packets that are due together in their order
  private record Late(TunDevice to, MemorySegment packet, long dueNanos, long number)
      implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed delayed) {
      Late other = (Late) delayed;
      int order = Long.signum(dueNanos - other.dueNanos);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }
}
