package dev.holdfast.simulation;

import dev.holdfast.blobcache.Blob;
import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.blobcache.ByteRange;
import dev.holdfast.blobcache.HotRegion;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/// A blob cache that knows no checksums: part of a plant.
record UncheckedInputs(BlobInputs cache) implements BlobInputs {
  private record Unchecked(Blob blob) implements Blob {
    @Override
    public String key() {
      return blob.key();
    }

    @Override
    public byte[] read(long offset, int length) throws IOException {
      return blob.read(offset, length);
    }

    @Override
    public Optional<HotRegion> readHot() throws IOException {
      return blob.readHot().map(hot -> new HotRegion(hot.ranges()));
    }
  }

  @Override
  public IndexInput open(String name, Blob blob, long offset, long length, IOContext context)
      throws IOException {
    return cache.open(name, new Unchecked(blob), offset, length, context);
  }

  @Override
  public void drop(String blobKey) {
    cache.drop(blobKey);
  }

  @Override
  public void warm(Blob blob, List<ByteRange> ranges) {
    cache.warm(new Unchecked(blob), ranges);
  }

  @Override
  public void warmHot(List<Blob> blobs) {
    cache.warmHot(blobs.stream().map(blob -> (Blob) new Unchecked(blob)).toList());
  }

  @Override
  public void written(Blob blob, HotRegion hot, long length, InputStream bytes) throws IOException {
    cache.written(new Unchecked(blob), new HotRegion(hot.ranges()), length, bytes);
  }
}
