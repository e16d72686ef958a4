package social.feed.table.row;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the kind under which a record is stored. Each record that {@link Row} permits has it.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface StoredAs {
  /** The kind, whose name is stored. It stays when the record gets another name. */
  RowKind value();

  /**
   * Names of the attributes that updates write in addition to the record's own. Each is absent
   * until it is first written.
   */
  String[] extraAttributes() default {};
}
