// SPDX-License-Identifier: Apache-2.0
/** Finds fleets by the endpoint slices of a Kubernetes cluster. */
@NullMarked
package io.redliner.redirector.kubernetes;

import org.jspecify.annotations.NullMarked;
