package social.feed.search.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import social.feed.search.EntryKind;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;

/** The documents of an index on Lucene: how they are made, and what is read of them. */
final class LuceneDocuments {
  static final String KEY = "key";
  static final String KIND = "kind";
  static final String VERSION = "version";
  static final String FINGERPRINT = "fingerprint";
  static final String DELETED_AT = "deleted_at";
  static final String ID = "id";
  static final String AUTHOR = "author";
  static final String TAG = "tag";
  static final String AT = "at";
  static final String TEXT = "text";
  static final String HANDLE = "handle";
  static final String WORD = "word";
  static final String BEGINNING = "beginning";

  static final String POST = "post";
  static final String ACCOUNT = "account";

  private LuceneDocuments() {}

  /** Returns a document without its key and version. */
  static Document document(IndexEntry entry) {
    var document =
        switch (entry) {
          case IndexedPost post -> document(post);
          case IndexedAccount account -> document(account);
        };
    document.add(text(FINGERPRINT, entry.fingerprint()));
    document.add(new StringField(KIND, name(entry.kind()), Store.NO));
    return document;
  }

  private static Document document(IndexedPost post) {
    var document = new Document();
    document.add(new StringField(AUTHOR, post.authorId(), Store.NO));
    post.tags().forEach(tag -> document.add(new StringField(TAG, tag, Store.NO)));
    long at = post.createdAt().toEpochMilli();
    document.add(new LongPoint(AT, at));
    document.add(new NumericDocValuesField(AT, at));
    document.add(new TextField(TEXT, post.text(), Store.NO));
    return document;
  }

  private static Document document(IndexedAccount account) {
    var document = new Document();
    document.add(new SortedDocValuesField(HANDLE, new BytesRef(account.handle())));
    for (var text : SearchTerms.texts(account)) {
      document.add(new TextField(WORD, text, Store.NO));
      document.add(new TextField(BEGINNING, text, Store.NO));
    }
    return document;
  }

  static Document tombstone(long now) {
    var document = new Document();
    document.add(new LongPoint(DELETED_AT, now));
    document.add(text(FINGERPRINT, IndexState.DELETED));
    return document;
  }

  /** A text that is read for each write or hit, so not in a compressed block of many. */
  static BinaryDocValuesField text(String field, String text) {
    return new BinaryDocValuesField(field, new BytesRef(text));
  }

  private static String name(EntryKind kind) {
    return switch (kind) {
      case POST -> POST;
      case ACCOUNT -> ACCOUNT;
    };
  }

  static String key(EntryKind kind, String id) {
    return name(kind) + ' ' + id;
  }

  static Optional<IndexState> state(IndexSearcher searcher, EntryKind kind, String id)
      throws IOException {
    var found = found(searcher, key(kind, id));
    return found == null
        ? Optional.empty()
        : Optional.of(new IndexState(kind, id, found.text(VERSION), found.text(FINGERPRINT)));
  }

  /** A document, by its number in a segment. */
  private record Found(LeafReader segment, int doc) {
    String text(String field) throws IOException {
      var texts = DocValues.getBinary(segment, field);
      if (!texts.advanceExact(doc)) {
        throw new IOException("The index is broken: an entry has no " + field);
      }
      return texts.binaryValue().utf8ToString();
    }
  }

  /** Most segments have the keys of other times, and their first and last keys are in memory. */
  private static boolean mayHave(LeafReader segment, Term key) throws IOException {
    var keys = segment.terms(KEY);
    return keys != null
        && keys.getMin().compareTo(key.bytes()) <= 0
        && keys.getMax().compareTo(key.bytes()) >= 0;
  }

  /** At most one document of a key is not deleted. */
  private static @Nullable Found found(IndexSearcher searcher, String key) throws IOException {
    var term = new Term(KEY, key);
    for (var leaf : searcher.getIndexReader().leaves()) {
      var segment = leaf.reader();
      var docs = mayHave(segment, term) ? segment.postings(term, PostingsEnum.NONE) : null;
      if (docs == null) {
        continue;
      }
      var live = segment.getLiveDocs();
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        if (live == null || live.get(doc)) {
          return new Found(segment, doc);
        }
      }
    }
    return null;
  }

  /** The keys are in the order of the ids, so a page reads no other entries. */
  static List<IndexState> statesAfter(
      IndexSearcher searcher, EntryKind kind, String after, int limit) throws IOException {
    var states = new ArrayList<IndexState>();
    var keys = MultiTerms.getTerms(searcher.getIndexReader(), KEY);
    if (keys == null) {
      return states;
    }
    var prefix = key(kind, "");
    var each = keys.iterator();
    var start = new BytesRef(key(kind, after));
    for (var status = each.seekCeil(start);
        status != TermsEnum.SeekStatus.END && states.size() < limit;
        status = each.next() == null ? TermsEnum.SeekStatus.END : TermsEnum.SeekStatus.NOT_FOUND) {
      var key = each.term().utf8ToString();
      if (!key.startsWith(prefix)) {
        break;
      }
      if (status != TermsEnum.SeekStatus.FOUND || after.isEmpty()) {
        state(searcher, kind, key.substring(prefix.length()))
            .filter(state -> !state.isDeleted())
            .ifPresent(states::add);
      }
    }
    return states;
  }

  static Optional<String> version(IndexSearcher searcher, String key) throws IOException {
    var found = found(searcher, key);
    return found == null ? Optional.empty() : Optional.of(found.text(VERSION));
  }
}
