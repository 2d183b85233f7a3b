package dev.holdfast.world;

/// Every kind of error that a client can see: Elasticsearch's type name and the HTTP status that
/// goes with it. One line a kind.
public enum ErrorType {
  ACTION_REQUEST_VALIDATION("action_request_validation_exception", 400),
  ILLEGAL_ARGUMENT("illegal_argument_exception", 400),
  ILLEGAL_STATE("illegal_state_exception", 500),
  ILLEGAL_STATE_OF_REQUEST("illegal_state_exception", 400),
  PARSING("parsing_exception", 400),
  ARRAY_INDEX_OUT_OF_BOUNDS("array_index_out_of_bounds_exception", 500),
  X_CONTENT_EOF("x_content_e_o_f_exception", 400),
  JSON_EOF("json_e_o_f_exception", 400),
  NAMED_OBJECT_NOT_FOUND("named_object_not_found_exception", 400),
  REPOSITORY_MISSING("repository_missing_exception", 404),
  REPOSITORY("repository_exception", 400),
  REPOSITORY_FAILURE("repository_exception", 500),
  REPOSITORY_CONFLICT("repository_conflict_exception", 409),
  REPOSITORY_VERIFICATION("repository_verification_exception", 500),
  SNAPSHOT_MISSING("snapshot_missing_exception", 404),
  SNAPSHOT("snapshot_exception", 500),
  SNAPSHOT_OF_REQUEST("snapshot_exception", 400),
  SNAPSHOT_RESTORE("snapshot_restore_exception", 400),
  SNAPSHOT_NAME_IN_USE("snapshot_name_already_in_use_exception", 400),
  INVALID_SNAPSHOT_NAME("invalid_snapshot_name_exception", 400),
  CONCURRENT_SNAPSHOT("concurrent_snapshot_execution_exception", 503),
  PATTERN_SYNTAX("pattern_syntax_exception", 400),
  X_CONTENT_PARSE("x_content_parse_exception", 400),
  JSON_PARSE("json_parse_exception", 400),
  NUMBER_FORMAT("number_format_exception", 400),
  DATE_TIME_PARSE("date_time_parse_exception", 400),
  PARSE("parse_exception", 400),
  LUCENE_PARSE("parse_exception", 400),
  DOCUMENT_PARSING("document_parsing_exception", 400),
  MAPPER_PARSING("mapper_parsing_exception", 400),
  STRICT_DYNAMIC_MAPPING("strict_dynamic_mapping_exception", 400),
  INVALID_INDEX_NAME("invalid_index_name_exception", 400),
  UNSUPPORTED_SELECTOR("unsupported_selector_exception", 400),
  INVALID_ALIAS_NAME("invalid_alias_name_exception", 400),
  DISSECT("dissect_exception", 400),
  TIKA("tika_exception", 400),
  ENCRYPTED_DOCUMENT("encrypted_document_exception", 400),
  FAIL_PROCESSOR("fail_processor_exception", 400),
  GRAPH_STRUCTURE("graph_structure_exception", 400),
  RESOURCE_ALREADY_EXISTS("resource_already_exists_exception", 400),
  INDEX_CLOSED("index_closed_exception", 400),
  DOCUMENT_SOURCE_MISSING("document_source_missing_exception", 400),
  ROUTING_MISSING("routing_missing_exception", 400),
  GENERAL_SCRIPT("general_script_exception", 400),
  SCRIPT("script_exception", 400),
  NULL_POINTER("null_pointer_exception", 400),
  CLASS_CAST("class_cast_exception", 400),
  ARITHMETIC("arithmetic_exception", 400),
  INDEX_OUT_OF_BOUNDS("index_out_of_bounds_exception", 400),
  STRING_INDEX_OUT_OF_BOUNDS("string_index_out_of_bounds_exception", 400),
  NEGATIVE_ARRAY_SIZE("negative_array_size_exception", 400),
  NO_SUCH_ELEMENT("no_such_element_exception", 400),
  CONCURRENT_MODIFICATION("concurrent_modification_exception", 400),
  DATE_TIME("date_time_exception", 400),
  RUNTIME("runtime_exception", 400),
  EXCEPTION_OF_SCRIPT("exception", 400),
  PAINLESS_ERROR("painless_error", 400),
  PAINLESS_EXPLAIN_ERROR("painless_explain_error", 400),
  STACK_OVERFLOW("stack_overflow_error", 400),
  QUERY_SHARD("query_shard_exception", 400),
  SEARCH_PHASE_EXECUTION("search_phase_execution_exception", 400),
  TOO_MANY_CLAUSES("too_many_clauses", 400),
  TOO_MANY_BUCKETS("too_many_buckets_exception", 400),
  TOO_MANY_NESTED_CLAUSES("too_many_nested_clauses", 400),
  AGGREGATION_EXECUTION("aggregation_execution_exception", 400),
  AGGREGATION_INITIALIZATION("aggregation_initialization_exception", 500),
  INDEX_NOT_FOUND("index_not_found_exception", 404),
  SHARD_NOT_FOUND("shard_not_found_exception", 404),
  DOCUMENT_MISSING("document_missing_exception", 404),
  RESOURCE_NOT_FOUND("resource_not_found_exception", 404),
  ALIASES_NOT_FOUND("aliases_not_found_exception", 404),
  NO_SUCH_REMOTE_CLUSTER("no_such_remote_cluster_exception", 404),
  SEARCH_CONTEXT_MISSING("search_context_missing_exception", 404),
  SEARCH_CONTEXT_MISSING_NODES("search_context_missing_nodes_exception", 404),
  VERSION_CONFLICT("version_conflict_engine_exception", 409),
  CONTENT_TOO_LARGE("content_too_long_exception", 413),
  MEDIA_TYPE_HEADER("media_type_header_exception", 400),
  STATUS("status_exception", 400),
  STATUS_CONFLICT("status_exception", 409),
  NOT_ACCEPTABLE("not_acceptable_exception", 406),
  REJECTED_EXECUTION("es_rejected_execution_exception", 429),
  CIRCUIT_BREAKING("circuit_breaking_exception", 429),
  CLUSTER_BLOCK("cluster_block_exception", 403),
  CLUSTER_BLOCK_FOR_NOW("cluster_block_exception", 429),
  INVALID_INDEX_TEMPLATE("invalid_index_template_exception", 400),
  INDEX_TEMPLATE_MISSING("index_template_missing_exception", 404),
  NO_SUCH_NODE("no_such_node_exception", 400),
  SECURITY("security_exception", 403),
  NO_SHARD_AVAILABLE("no_shard_available_action_exception", 503),
  UNAVAILABLE_SHARDS("unavailable_shards_exception", 503),
  MASTER_NOT_DISCOVERED("master_not_discovered_exception", 503),
  REQUEST_TIMEOUT("timeout_exception", 408),
  TIMEOUT("timeout_exception", 503),
  PROCESS_CLUSTER_EVENT_TIMEOUT("process_cluster_event_timeout_exception", 503),
  NODE_CLOSED("node_closed_exception", 503),
  TASK_CANCELLED("task_cancelled_exception", 400),
  ACTION_NOT_FOUND("action_not_found_transport_exception", 500),
  UNSUPPORTED_OPERATION("unsupported_operation_exception", 500),
  CORRUPT_INDEX("corrupt_index_exception", 500),
  IO("i_o_exception", 500),
  INTERNAL("exception", 500);

  private final String type;
  private final int status;

  ErrorType(String type, int status) {
    this.type = type;
    this.status = status;
  }

  /// A kind of error as another node names it.
  ///
  /// @param name of the constant; a newer build may have kinds that this one does not know
  /// @param status that goes with it: an unknown kind is taken for the plainest one with the same
  public static ErrorType named(String name, int status) {
    for (ErrorType type : values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    return switch (status) {
      case 404 -> RESOURCE_NOT_FOUND;
      case 409 -> VERSION_CONFLICT;
      case 429 -> REJECTED_EXECUTION;
      case 503 -> TIMEOUT;
      default -> status >= 400 && status < 500 ? ILLEGAL_ARGUMENT : INTERNAL;
    };
  }

  /// Whether Elasticsearch throws an exception of Java or of a library here, which tells nobody its
  /// index: around a failed shard it is written with itself as its cause.
  public boolean isForeign() {
    return switch (this) {
      case ILLEGAL_ARGUMENT,
          ILLEGAL_STATE,
          ILLEGAL_STATE_OF_REQUEST,
          ARRAY_INDEX_OUT_OF_BOUNDS,
          X_CONTENT_PARSE,
          JSON_PARSE,
          NUMBER_FORMAT,
          DATE_TIME_PARSE,
          LUCENE_PARSE,
          TOO_MANY_CLAUSES,
          TOO_MANY_NESTED_CLAUSES,
          UNSUPPORTED_OPERATION,
          IO ->
          true;
      default -> false;
    };
  }

  /// Elasticsearch's name, as in `error.type`.
  public String type() {
    return type;
  }

  /// The HTTP status.
  public int status() {
    return status;
  }
}
