// SPDX-License-Identifier: Apache-2.0
/**
 * Documents that people write come in: plans, bodies of requests, services files. Values whose place in the text is known go out, or all
 * mistakes with path, line and column.
 */
@NullMarked
package io.redliner.contract.document;

import org.jspecify.annotations.NullMarked;
