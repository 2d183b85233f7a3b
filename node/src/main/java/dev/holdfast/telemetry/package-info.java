/// Traces of requests, handed to a collector by OTLP: where they begin
/// ([dev.holdfast.telemetry.Traces]), what a span is made of, and what becomes of it. Nothing here
/// is made, and no library is loaded, unless `telemetry.tracing.enabled` says so. Called from any
/// thread; a collector that is slow or away costs spans, never a request.
@NullMarked
package dev.holdfast.telemetry;

import org.jspecify.annotations.NullMarked;
