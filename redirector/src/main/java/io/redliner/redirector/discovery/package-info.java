// SPDX-License-Identifier: Apache-2.0
/**
 * Where the instances of services are found. Definitions come in from the services file, endpoints from the DNS and from
 * Kubernetes. It is decided which of them are known, stale or unknown; the services with their instances go out to the event loop.
 */
@NullMarked
package io.redliner.redirector.discovery;

import org.jspecify.annotations.NullMarked;
