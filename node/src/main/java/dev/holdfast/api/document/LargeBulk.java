package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.LargeBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.world.Json;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A `_bulk` too large for memory, in two readings: the first refuses it whole if an action line is
/// malformed, and finds where it can be cut; the second writes part after part, each as a `_bulk`
/// of its own would be, and keeps what became of its items in a file until all are answered.
///
/// What it needs of memory and disk is taken before the first write: once something is written,
/// only items are refused.
final class LargeBulk {
  private static final Logger LOG = LoggerFactory.getLogger(LargeBulk.class);

  /// Items of a part.
  private static final int ITEMS_MAX = 8192;

  /// What the answer to an item takes of the disk, about.
  private static final int ANSWER_BYTES = 256;

  private final WriteRequests writes;
  private final ApiRequest request;
  private final LargeBody body;
  private boolean hasErrors;
  private boolean isIngested;
  private long ingestNanos;

  LargeBulk(WriteRequests writes, ApiRequest request, LargeBody body) {
    this.writes = writes;
    this.request = request;
    this.body = body;
  }

  Answer write() throws IOException, InterruptedException {
    long start = nanos();
    WriteRequests.Refresh refresh = WriteRequests.Refresh.of(request);
    BulkScan.Parts parts =
        BulkScan.of(body, ITEMS_MAX, request.text("index"), new BulkUpdates(request)::check);
    body.reserve(parts.longest());
    RequestMemory.add(
        (long) parts.mostItems() * (BulkBody.ITEM_BYTES + BulkBody.ACTION_BYTES) + parts.longest());
    SpoolFile answered = body.file();
    answered.reserve(parts.items() * ANSWER_BYTES);
    RequestMemory.settle();
    boolean isForced = refresh == WriteRequests.Refresh.NOW;
    Set<ShardId> written = new LinkedHashSet<>();
    try (InputStream in = body.open();
        JsonGenerator out = Json.MAPPER.createGenerator(answered.appending())) {
      boolean isFirst = true;
      for (BulkScan.Part part : parts.list()) {
        BulkWrite write = part(part, in);
        run(write, written, isFirst);
        hasErrors |= write.hasErrors();
        isIngested |= write.isIngested();
        write.answer(out, isForced);
        isFirst = false;
      }
    }
    writes.refresh(refresh, written);
    return answer(answered, (nanos() - start) / 1_000_000);
  }

  private BulkWrite part(BulkScan.Part part, InputStream in) throws IOException {
    byte[] bytes = new byte[part.bytes()];
    if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
      throw new EOFException("a large request has become shorter");
    }
    RequestBody lines = RequestBody.of(bytes);
    List<BulkBody.Item> items = BulkBody.parse(lines);
    return new BulkWrite(writes, request, lines, items);
  }

  /// What fails before anything is written fails the request; later, items.
  private void run(BulkWrite write, Set<ShardId> written, boolean isFirst)
      throws IOException, InterruptedException {
    long start = nanos();
    write.plan();
    ingestNanos += nanos() - start;
    try {
      write.run(written);
    } catch (IOException | RuntimeException e) {
      if (isFirst) {
        throw e;
      }
      if (ErrorBody.isUnexpected(e)) {
        LOG.warn("a part of a large bulk failed [path={}]", request.path(), e);
      }
      write.fail(ErrorBody.refusal(e), written);
    }
  }

  private long nanos() {
    return writes.world().clock().nanoTime();
  }

  private Answer answer(SpoolFile answered, long tookMillis) {
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeBooleanField("errors", hasErrors);
      out.writeNumberField("took", tookMillis);
      if (isIngested) {
        out.writeNumberField("ingest_took", ingestNanos / 1_000_000);
      }
      out.writeArrayFieldStart("items");
      try (JsonParser in = Json.MAPPER.createParser(answered.read())) {
        while (in.nextToken() != null) {
          out.copyCurrentEventExact(in);
        }
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }
}
