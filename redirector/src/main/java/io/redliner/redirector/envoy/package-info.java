// SPDX-License-Identifier: Apache-2.0
/**
 * Envoy, the first data plane, and all that knows it. Routing that is wanted comes in, and requests of proxies over xDS. It is
 * decided which proxy may have what, and what it has taken; resources and runtime layers go out to the proxies, their answers to
 * the {@link io.redliner.redirector.dataplane.ProxyEventHandler}.
 */
@NullMarked
package io.redliner.redirector.envoy;

import org.jspecify.annotations.NullMarked;
