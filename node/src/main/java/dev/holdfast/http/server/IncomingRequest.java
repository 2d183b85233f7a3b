package dev.holdfast.http.server;

import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.spool.RequestFiles;
import dev.holdfast.http.spool.SpoolFile;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A request as it came off the wire, all of it.
///
/// @param method in capitals
/// @param target path and query as sent
/// @param body still encoded as `Content-Encoding` says
/// @param spooled the body where it is too large for `body`, which is empty then
/// @param files where what is too large may go; null where nothing may
/// @param reservation the bytes it holds
record IncomingRequest(
    String method,
    String target,
    HeaderValues headers,
    RequestBody body,
    @Nullable SpoolFile spooled,
    @Nullable RequestFiles files,
    RequestBytes.Reservation reservation,
    BooleanSupplier isCancelled) {}
