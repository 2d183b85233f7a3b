package dev.holdfast.script.bound;

import dev.holdfast.script.runtime.Budget;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Builders of streams whose elements count, also those that they are given as consumers.
public final class BuilderStatics {
  private static final int ELEMENT_BYTES = 24;

  private BuilderStatics() {}

  public static Stream.Builder<Object> Stream_builder() {
    Stream.Builder<Object> made = Stream.builder();
    return new Stream.Builder<>() {
      @Override
      public void accept(Object value) {
        Budget.charge(ELEMENT_BYTES);
        made.accept(value);
      }

      @Override
      public Stream<Object> build() {
        return made.build();
      }
    };
  }

  public static IntStream.Builder IntStream_builder() {
    IntStream.Builder made = IntStream.builder();
    return new IntStream.Builder() {
      @Override
      public void accept(int value) {
        Budget.charge(Integer.BYTES);
        made.accept(value);
      }

      @Override
      public IntStream build() {
        return made.build();
      }
    };
  }

  public static LongStream.Builder LongStream_builder() {
    LongStream.Builder made = LongStream.builder();
    return new LongStream.Builder() {
      @Override
      public void accept(long value) {
        Budget.charge(Long.BYTES);
        made.accept(value);
      }

      @Override
      public LongStream build() {
        return made.build();
      }
    };
  }

  public static DoubleStream.Builder DoubleStream_builder() {
    DoubleStream.Builder made = DoubleStream.builder();
    return new DoubleStream.Builder() {
      @Override
      public void accept(double value) {
        Budget.charge(Double.BYTES);
        made.accept(value);
      }

      @Override
      public DoubleStream build() {
        return made.build();
      }
    };
  }
}
