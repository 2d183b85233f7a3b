package dev.holdfast.http.server;

import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import java.util.function.BooleanSupplier;

/// A request as it came off the wire, all of it.
///
/// @param method in capitals
/// @param target path and query as sent
/// @param body still encoded as `Content-Encoding` says
/// @param reservation the bytes it holds
record IncomingRequest(
    String method,
    String target,
    HeaderValues headers,
    RequestBody body,
    RequestBytes.Reservation reservation,
    BooleanSupplier isCancelled) {}
