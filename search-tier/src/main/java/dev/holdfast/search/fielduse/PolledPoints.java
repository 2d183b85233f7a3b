package dev.holdfast.search.fielduse;

import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.PointValues;

/// Points whose tree can be left: each step asks whether the search still goes on.
final class PolledPoints extends PointValues {
  private final PointValues in;

  PolledPoints(PointValues in) {
    this.in = in;
  }

  @Override
  public PointTree getPointTree() throws IOException {
    return new Tree(in.getPointTree());
  }

  @Override
  public byte[] getMinPackedValue() throws IOException {
    return in.getMinPackedValue();
  }

  @Override
  public byte[] getMaxPackedValue() throws IOException {
    return in.getMaxPackedValue();
  }

  @Override
  public int getNumDimensions() throws IOException {
    return in.getNumDimensions();
  }

  @Override
  public int getNumIndexDimensions() throws IOException {
    return in.getNumIndexDimensions();
  }

  @Override
  public int getBytesPerDimension() throws IOException {
    return in.getBytesPerDimension();
  }

  @Override
  public long size() {
    return in.size();
  }

  @Override
  public int getDocCount() {
    return in.getDocCount();
  }

  private record Tree(PointTree in) implements PointTree {
    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod") // the tree below is cloned
    public PointTree clone() {
      return new Tree(in.clone());
    }

    @Override
    public boolean moveToChild() throws IOException {
      StopSignal.poll();
      return in.moveToChild();
    }

    @Override
    public boolean moveToSibling() throws IOException {
      StopSignal.poll();
      return in.moveToSibling();
    }

    @Override
    public boolean moveToParent() throws IOException {
      return in.moveToParent();
    }

    @Override
    public byte[] getMinPackedValue() {
      return in.getMinPackedValue();
    }

    @Override
    public byte[] getMaxPackedValue() {
      return in.getMaxPackedValue();
    }

    @Override
    public long size() {
      return in.size();
    }

    @Override
    public void visitDocIDs(IntersectVisitor visitor) throws IOException {
      StopSignal.poll();
      in.visitDocIDs(visitor);
    }

    @Override
    public void visitDocValues(IntersectVisitor visitor) throws IOException {
      StopSignal.poll();
      in.visitDocValues(visitor);
    }
  }
}
