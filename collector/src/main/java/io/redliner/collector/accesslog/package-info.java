// SPDX-License-Identifier: Apache-2.0
/**
 * Access-log entries that Envoy sends over gRPC come in. Each is decoded into the start, the end or the end of one
 * attempt of a request, or counted by the reason why it is none. Batches of records go out to the windows.
 */
@NullMarked
package io.redliner.collector.accesslog;

import org.jspecify.annotations.NullMarked;
