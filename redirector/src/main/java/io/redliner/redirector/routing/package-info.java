// SPDX-License-Identifier: Apache-2.0
/**
 * Services, their instances, and how a share becomes weights. A service and a share come in. It is calculated which cluster gets
 * which weight; values go out, and nothing here changes. Plain Java.
 */
@NullMarked
package io.redliner.redirector.routing;

import org.jspecify.annotations.NullMarked;
