package dev.holdfast.chaos.network;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The four system calls that a device in user space needs and the JDK does not offer. Calls into
/// the C library are "restricted": this program is started with `--enable-native-access`.
@SuppressWarnings("restricted")
final class SystemCalls {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout ERROR = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERROR.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final Linker.Option KEEP_ERROR = Linker.Option.captureCallState("errno");

  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          KEEP_ERROR,
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle IOCTL =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("ioctl"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          KEEP_ERROR,
          Linker.Option.firstVariadicArg(2));
  private static final FunctionDescriptor TRANSFER =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
  private static final MethodHandle READ =
      LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("read"), TRANSFER, KEEP_ERROR);
  private static final MethodHandle WRITE =
      LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("write"), TRANSFER, KEEP_ERROR);

  private static final int O_RDWR = 2;
  static final int EINTR = 4;

  private SystemCalls() {}

  /// Returns a file descriptor for reading and writing.
  static int open(String path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ERROR);
      int descriptor = (int) OPEN.invokeExact(error, arena.allocateFrom(path), O_RDWR);
      if (descriptor < 0) {
        throw new IOException("cannot open " + path + " [errno=" + errno(error) + "]");
      }
      return descriptor;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  static void ioctl(int descriptor, long request, MemorySegment argument) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ERROR);
      if ((int) IOCTL.invokeExact(error, descriptor, request, argument) < 0) {
        throw new IOException("ioctl " + request + " failed [errno=" + errno(error) + "]");
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// Blocks until something comes. Returns its bytes, or the error number, negated.
  static long read(int descriptor, MemorySegment to) throws IOException {
    return transfer(READ, descriptor, to);
  }

  /// Returns the bytes written, or the error number, negated.
  static long write(int descriptor, MemorySegment from) throws IOException {
    return transfer(WRITE, descriptor, from);
  }

  private static long transfer(MethodHandle call, int descriptor, MemorySegment bytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ERROR);
      long moved = (long) call.invokeExact(error, descriptor, bytes, bytes.byteSize());
      return moved < 0 ? -errno(error) : moved;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private static int errno(MemorySegment error) {
    return (int) ERRNO.get(error, 0L);
  }

  private static IOException thrown(Throwable e) {
    return switch (e) {
      case IOException io -> io;
      case RuntimeException runtime -> throw runtime;
      case Error error -> throw error;
      default -> new IOException(e);
    };
  }
}
