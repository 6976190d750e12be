// SPDX-License-Identifier: Apache-2.0
/** Envoy's access logs over gRPC, as requests for the windows. */
@NullMarked
package io.redliner.collector.proxy;

import org.jspecify.annotations.NullMarked;
