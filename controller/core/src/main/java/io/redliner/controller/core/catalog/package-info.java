// SPDX-License-Identifier: Apache-2.0
/** Which services, instances and proxies there are, as far as redirectors tell. Plain Java. */
@NullMarked
package io.redliner.controller.core.catalog;

import org.jspecify.annotations.NullMarked;
