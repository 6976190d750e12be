// SPDX-License-Identifier: Apache-2.0
/** Envoy's side: resources, the xDS server, acknowledgements. */
@NullMarked
package io.redliner.redirector.envoy;

import org.jspecify.annotations.NullMarked;
