// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.routing;

import org.jspecify.annotations.NullMarked;
