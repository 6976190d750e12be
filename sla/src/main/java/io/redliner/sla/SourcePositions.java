// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelExpr;

/** Creates exceptions that point to a line and a column of a rule. */
record SourcePositions(String rule, CelSource source) {

    InvalidRuleException error(CelExpr expression, String message) {
        Integer offset = source.getPositionsMap().get(expression.id());
        return at(offset == null ? 0 : offset, message);
    }

    InvalidRuleException at(int offset, String message) {
        return at(source.getOffsetLocation(offset).orElseGet(() -> CelSourceLocation.of(1, 0)), message);
    }

    /** CEL counts lines from 1 and columns from 0. */
    InvalidRuleException at(CelSourceLocation location, String message) {
        return new InvalidRuleException(rule, Math.max(1, location.getLine()), Math.max(0, location.getColumn()) + 1,
                message);
    }
}
