// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.dataplane;

import org.jspecify.annotations.NullMarked;
