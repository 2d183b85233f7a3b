package dev.holdfast.indexing.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of an update: a partial document or a script, what to do when there is no document, and
/// whether an update that changes nothing is written.
///
/// @param doc merged into the document; empty for a script
/// @param script null for a partial document
/// @param runsOnUpsert whether the script runs on what is inserted, too
/// @param condition what must hold: as the body says, else as the request does
/// @param upsert the document when there is none; null for none
record UpdateBody(
    ObjectNode doc,
    @Nullable ScriptSource script,
    @Nullable ObjectNode upsert,
    boolean runsOnUpsert,
    boolean detectsNoop,
    Condition condition) {

  /// @throws Refusal 400 when the body is not an update
  static UpdateBody parse(WriteOperation operation) {
    JsonObject body =
        JsonObject.of(
            "UpdateRequest",
            Json.parseGiven(operation.bytes(), operation.offset(), operation.length()));
    if (body.has("script") && body.has("doc")) {
      throw invalid("can't provide both script and doc");
    }
    JsonNode given = body.take("script");
    ScriptSource script = given == null ? null : ScriptSource.parse(given);
    JsonNode doc = body.take("doc");
    JsonNode upsert = body.take("upsert");
    boolean docAsUpsert = body.bool("doc_as_upsert", false);
    boolean detectsNoop = body.bool("detect_noop", true);
    boolean runsOnUpsert = body.bool("scripted_upsert", false);
    Condition condition = condition(body, operation);
    body.take("_source"); // what to answer: the API's business
    body.done();
    if (script != null) {
      if (docAsUpsert) {
        throw invalid("doc must be specified if doc_as_upsert is enabled");
      }
      ObjectNode inserted = upsert == null ? null : object("upsert", upsert);
      return new UpdateBody(Json.object(), script, inserted, runsOnUpsert, detectsNoop, condition);
    }
    if (doc == null) {
      throw invalid(
          docAsUpsert
              ? "doc must be specified if doc_as_upsert is enabled"
              : "script or doc is missing");
    }
    return new UpdateBody(
        object("doc", doc),
        null,
        docAsUpsert ? object("doc", doc) : upsert == null ? null : object("upsert", upsert),
        false,
        detectsNoop,
        condition);
  }

  private static Condition condition(JsonObject body, WriteOperation operation) {
    if (!body.has("if_seq_no") && !body.has("if_primary_term")) {
      return operation.condition();
    }
    Condition outer = operation.condition();
    long seqNo = body.longValue("if_seq_no", outer.ifSeqNo());
    long term = body.longValue("if_primary_term", outer.ifPrimaryTerm());
    boolean hasSeqNo = seqNo != Condition.NONE.ifSeqNo();
    if (hasSeqNo && seqNo < 0) {
      throw Refusal.badArgument("sequence numbers must be non negative. got [" + seqNo + "].");
    }
    if (term < 0) {
      throw Refusal.badArgument("primary term must be non negative. got [" + term + "]");
    }
    if (hasSeqNo != (term != Condition.NONE.ifPrimaryTerm())) {
      throw invalid(
          hasSeqNo
              ? "ifSeqNo is set, but primary term is [0]"
              : "ifSeqNo is unassigned, but primary term is [" + term + "]");
    }
    if (hasSeqNo && operation.retryOnConflict() > 0) {
      throw invalid("compare and write operations can not be retried");
    }
    return new Condition(seqNo, term, outer.version(), outer.versionType());
  }

  private static Refusal invalid(String fault) {
    return new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: " + fault + ";");
  }

  private static ObjectNode object(String name, JsonNode value) {
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[UpdateRequest] " + name + " doesn't support values of type: " + value.getNodeType());
  }

  /// Merges the partial document into `source`, objects deeply, everything else by replacement.
  ///
  /// @return false when that changes nothing and such updates are not written
  boolean mergeInto(ObjectNode source) {
    return merge(source, doc) || !detectsNoop;
  }

  private static boolean merge(ObjectNode target, ObjectNode changes) {
    boolean changed = false;
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      JsonNode before = target.get(change.getKey());
      if (before instanceof ObjectNode inner && change.getValue() instanceof ObjectNode more) {
        changed |= merge(inner, more);
      } else if (before == null || !before.equals(change.getValue())) {
        target.set(change.getKey(), change.getValue());
        changed = true;
      }
    }
    return changed;
  }
}
