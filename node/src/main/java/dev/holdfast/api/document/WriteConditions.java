package dev.holdfast.api.document;

import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Optimistic concurrency as requests write it: `if_seq_no` with `if_primary_term`, or `version`
/// with `version_type`.
final class WriteConditions {
  private static final String NO_PIPELINE = "pipeline cannot be an empty string";

  private WriteConditions() {}

  static Condition read(ApiRequest request, Kind kind) {
    return of(
        request.longValue("if_seq_no", Condition.NONE.ifSeqNo()),
        request.longValue("if_primary_term", Condition.NONE.ifPrimaryTerm()),
        request.longValue("version", Condition.NONE.version()),
        request.text("version_type", "internal"),
        kind);
  }

  /// @throws Refusal `action_request_validation_exception` for combinations that make no sense
  static Condition of(
      long ifSeqNo, long ifPrimaryTerm, long version, String versionType, Kind kind) {
    VersionType type = versionType(versionType);
    List<String> faults = faults(ifSeqNo, ifPrimaryTerm, version, type, kind);
    if (!faults.isEmpty()) {
      throw invalid(faults);
    }
    return new Condition(ifSeqNo, ifPrimaryTerm, version, type);
  }

  /// What makes no sense of a line of `_bulk`.
  static List<String> faults(BulkBody.Action action) {
    VersionType type = versionType(action.versionType());
    List<String> faults =
        faults(action.ifSeqNo(), action.ifPrimaryTerm(), action.version(), type, action.kind());
    boolean isVersioned =
        type != VersionType.INTERNAL || action.version() != Condition.NONE.version();
    if (action.id() == null && action.kind() == Kind.INDEX && isVersioned) {
      faults.add("an id must be provided if version type or value are set");
    }
    if ("".equals(action.pipeline())) {
      faults.add(NO_PIPELINE);
    }
    return faults;
  }

  private static List<String> faults(
      long ifSeqNo, long ifPrimaryTerm, long version, VersionType type, Kind kind) {
    List<String> faults = new ArrayList<>();
    boolean hasSeqNo = ifSeqNo != Condition.NONE.ifSeqNo();
    boolean hasTerm = ifPrimaryTerm != Condition.NONE.ifPrimaryTerm();
    boolean hasVersion = version != Condition.NONE.version();
    if (hasSeqNo && ifSeqNo < 0) {
      throw Refusal.badArgument("sequence numbers must be non negative. got [" + ifSeqNo + "].");
    }
    if (hasTerm && ifPrimaryTerm < 0) {
      throw Refusal.badArgument("primary term must be non negative. got [" + ifPrimaryTerm + "]");
    }
    if (kind == Kind.CREATE && (hasVersion || type != VersionType.INTERNAL)) {
      faults.add(
          type != VersionType.INTERNAL
              ? "create operations only support internal versioning. use index instead"
              : "create operations do not support explicit versions. use index instead");
    }
    if (kind == Kind.CREATE && (hasSeqNo || hasTerm)) {
      faults.add("create operations do not support compare and set. use index instead");
    }
    if (type == VersionType.INTERNAL && hasVersion && kind != Kind.CREATE) {
      faults.add(
          "internal versioning can not be used for optimistic concurrency control. Please use"
              + " `if_seq_no` and `if_primary_term` instead");
    }
    if (type != VersionType.INTERNAL && kind != Kind.CREATE) {
      if (!hasVersion || version < 0) {
        faults.add(
            "illegal version value [" + version + "] for version type [" + type.name() + "]");
      }
      if (hasSeqNo || hasTerm) {
        faults.add("compare and write operations can not use versioning");
      }
    }
    if (hasSeqNo != hasTerm) {
      faults.add(
          hasSeqNo
              ? "ifSeqNo is set, but primary term is [0]"
              : "ifSeqNo is unassigned, but primary term is [" + ifPrimaryTerm + "]");
    }
    return faults;
  }

  /// The pipeline that a request names.
  ///
  /// @throws Refusal `action_request_validation_exception` when it is empty
  static @Nullable String pipeline(ApiRequest request) {
    String pipeline = request.text("pipeline");
    if ("".equals(pipeline)) {
      throw invalid(List.of(NO_PIPELINE));
    }
    return pipeline;
  }

  static Refusal invalid(List<String> faults) {
    StringBuilder message = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < faults.size(); i++) {
      message.append(i + 1).append(": ").append(faults.get(i)).append(';');
    }
    return new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, message.toString());
  }

  private static VersionType versionType(String name) {
    return switch (name) {
      case "internal" -> VersionType.INTERNAL;
      case "external", "external_gt" -> VersionType.EXTERNAL;
      case "external_gte" -> VersionType.EXTERNAL_GTE;
      default -> throw Refusal.badArgument("No version type match [" + name + "]");
    };
  }
}
