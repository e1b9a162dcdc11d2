BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO "alembic_version" VALUES('e43177bfe90b');
CREATE TABLE answer_now (
	grade VARCHAR(32) NOT NULL, 
	comment VARCHAR(32), 
	words VARCHAR(64), 
	rubric VARCHAR(64) NOT NULL, 
	items VARCHAR, 
	PRIMARY KEY (grade)
);
INSERT INTO "answer_now" VALUES('e9e99a9f459c4620811e534811b317e5','8b80cb1830e84135a4a3e1c91f16218f','7facf276dd92322609426f09a12f445d33dafffd145772dceae2c867090896ec','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434','[1]');
INSERT INTO "answer_now" VALUES('d8f227b5f54c454d8f0a34849c321618','0e4967a3bf3148ddb141d698a22e57a8','5cc8c0f90e401f1f2d8171081ef4f75e441320d0cfa59b10c8f69d53065e9b24','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',NULL);
INSERT INTO "answer_now" VALUES('88f5865cf56045a29f634a1553ddac66','ce2efb0e7ef04ad0908d7f3f06d6941a','e1e220040fe82b5b5dd82872147b78917dceb0bd4de42e773f8cbd33e7b76a0d','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',NULL);
CREATE TABLE answer_words (
	grade VARCHAR(32) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	text VARCHAR NOT NULL, 
	PRIMARY KEY (grade, digest)
);
INSERT INTO "answer_words" VALUES('e9e99a9f459c4620811e534811b317e5','7facf276dd92322609426f09a12f445d33dafffd145772dceae2c867090896ec','The query asks.');
INSERT INTO "answer_words" VALUES('d8f227b5f54c454d8f0a34849c321618','2f6ee529aae124d2a2850e1cbd8d6072905b10ef6cba88a06f5245a306aa7ad1','The key answers.');
INSERT INTO "answer_words" VALUES('88f5865cf56045a29f634a1553ddac66','e1e220040fe82b5b5dd82872147b78917dceb0bd4de42e773f8cbd33e7b76a0d','No idea.');
INSERT INTO "answer_words" VALUES('d8f227b5f54c454d8f0a34849c321618','5cc8c0f90e401f1f2d8171081ef4f75e441320d0cfa59b10c8f69d53065e9b24','The key and the query.');
CREATE TABLE assignment (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	duedate DATETIME, 
	course_id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	FOREIGN KEY(course_id) REFERENCES course (id)
);
INSERT INTO "assignment" VALUES('48b7f2ce3111416791ee2d819f7f301b','06_masks_and_heads',NULL,'default_course');
CREATE TABLE base_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	notebook_id VARCHAR(32) NOT NULL, 
	type VARCHAR(50), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id, type), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "base_cell" VALUES('aa7646b3ff95425a9b1921bea81b3445','explain_self_and_cross','8b5dc9cda2b0461c99601d774c9c168f','GradeCell');
INSERT INTO "base_cell" VALUES('b3b6e5e21aa14234b9a5a54c36df0261','explain_self_and_cross','8b5dc9cda2b0461c99601d774c9c168f','SolutionCell');
CREATE TABLE comment (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_comment TEXT, 
	manual_comment TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "comment" VALUES('8b80cb1830e84135a4a3e1c91f16218f','5758dc2d08dd4863b4fb3164df5a24e8','b3b6e5e21aa14234b9a5a54c36df0261',NULL,'says where from
Good.');
INSERT INTO "comment" VALUES('0e4967a3bf3148ddb141d698a22e57a8','49057fcb7daa484d88d0cf4061f360ef','b3b6e5e21aa14234b9a5a54c36df0261',NULL,NULL);
INSERT INTO "comment" VALUES('ce2efb0e7ef04ad0908d7f3f06d6941a','728c1198e71543db8dfc6ac63a267a03','b3b6e5e21aa14234b9a5a54c36df0261',NULL,NULL);
CREATE TABLE course (
	id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (id)
);
INSERT INTO "course" VALUES('default_course');
CREATE TABLE grade (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_score FLOAT, 
	manual_score FLOAT, 
	extra_credit FLOAT, 
	needs_manual_grade BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "grade" VALUES('e9e99a9f459c4620811e534811b317e5','5758dc2d08dd4863b4fb3164df5a24e8','aa7646b3ff95425a9b1921bea81b3445',NULL,2.0,NULL,0);
INSERT INTO "grade" VALUES('d8f227b5f54c454d8f0a34849c321618','49057fcb7daa484d88d0cf4061f360ef','aa7646b3ff95425a9b1921bea81b3445',NULL,NULL,NULL,1);
INSERT INTO "grade" VALUES('88f5865cf56045a29f634a1553ddac66','728c1198e71543db8dfc6ac63a267a03','aa7646b3ff95425a9b1921bea81b3445',NULL,NULL,NULL,1);
CREATE TABLE grade_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "grade_cells" VALUES('aa7646b3ff95425a9b1921bea81b3445',4.0,'markdown');
CREATE TABLE mark_history (
	id INTEGER NOT NULL, 
	grade VARCHAR(32) NOT NULL, 
	words VARCHAR(64) NOT NULL, 
	rubric VARCHAR(64) NOT NULL, 
	points FLOAT, 
	most FLOAT NOT NULL, 
	comment VARCHAR, 
	at VARCHAR(19) NOT NULL, 
	items VARCHAR, 
	marker VARCHAR, 
	why VARCHAR, 
	PRIMARY KEY (id)
);
INSERT INTO "mark_history" VALUES(1,'e9e99a9f459c4620811e534811b317e5','7facf276dd92322609426f09a12f445d33dafffd145772dceae2c867090896ec','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',1.0,4.0,'says where from','2026-11-28 16:41:08','[1]','ada','');
INSERT INTO "mark_history" VALUES(2,'d8f227b5f54c454d8f0a34849c321618','2f6ee529aae124d2a2850e1cbd8d6072905b10ef6cba88a06f5245a306aa7ad1','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',1.0,4.0,'says where from','2026-11-28 16:41:08','[1]','ada','');
INSERT INTO "mark_history" VALUES(3,'e9e99a9f459c4620811e534811b317e5','7facf276dd92322609426f09a12f445d33dafffd145772dceae2c867090896ec','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',1.0,4.0,'says where from
Good.','2026-11-28 16:41:08','[1]','ben','');
INSERT INTO "mark_history" VALUES(4,'e9e99a9f459c4620811e534811b317e5','7facf276dd92322609426f09a12f445d33dafffd145772dceae2c867090896ec','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',2.0,4.0,'says where from
Good.','2026-11-28 16:41:08','[1]','ben','rubric item “says where from”: 2, was 1');
INSERT INTO "mark_history" VALUES(5,'d8f227b5f54c454d8f0a34849c321618','2f6ee529aae124d2a2850e1cbd8d6072905b10ef6cba88a06f5245a306aa7ad1','a3d0e84264e19df948d6e75af1c923f0a21adabef84590439f62fed98d96b434',2.0,4.0,'says where from','2026-11-28 16:41:08','[1]','ben','rubric item “says where from”: 2, was 1');
CREATE TABLE marking_record (
	id INTEGER NOT NULL, 
	at VARCHAR(19) NOT NULL, 
	marker VARCHAR NOT NULL, 
	lesson VARCHAR NOT NULL, 
	question VARCHAR NOT NULL, 
	what VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "marking_record" VALUES(1,'2026-11-28 16:41:08','ada','06_masks_and_heads','explain_self_and_cross','names shown');
INSERT INTO "marking_record" VALUES(2,'2026-11-28 16:41:08','ada','06_masks_and_heads','explain_self_and_cross','rubric item “says where from”: 1');
INSERT INTO "marking_record" VALUES(3,'2026-11-28 16:41:08','ben','06_masks_and_heads','explain_self_and_cross','rubric item “says where from”: 2, was 1; marks that follow: 1');
CREATE TABLE notebook (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	assignment_id VARCHAR(32), 
	kernelspec VARCHAR(1024), 
	PRIMARY KEY (id), 
	UNIQUE (name, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
INSERT INTO "notebook" VALUES('8b5dc9cda2b0461c99601d774c9c168f','masks_and_heads','48b7f2ce3111416791ee2d819f7f301b',NULL);
CREATE TABLE rubric_item (
	id INTEGER NOT NULL, 
	lesson VARCHAR NOT NULL, 
	question VARCHAR NOT NULL, 
	says VARCHAR NOT NULL, 
	points FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rubric_item" VALUES(1,'06_masks_and_heads','explain_self_and_cross','says where from',2.0);
CREATE TABLE solution_cells (
	id VARCHAR(32) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "solution_cells" VALUES('b3b6e5e21aa14234b9a5a54c36df0261');
CREATE TABLE source_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	locked BOOLEAN NOT NULL, 
	source TEXT, 
	checksum VARCHAR(128), 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
CREATE TABLE student (
	id VARCHAR(128) NOT NULL, 
	first_name VARCHAR(128), 
	last_name VARCHAR(128), 
	email VARCHAR(128), 
	lms_user_id VARCHAR(128), 
	PRIMARY KEY (id)
);
INSERT INTO "student" VALUES('amy',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('ben',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('cy',NULL,NULL,NULL,NULL);
CREATE TABLE submitted_assignment (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	student_id VARCHAR(128), 
	timestamp DATETIME, 
	extension DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (assignment_id, student_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id), 
	FOREIGN KEY(student_id) REFERENCES student (id)
);
INSERT INTO "submitted_assignment" VALUES('8004a81d6ad0445e9e8bc8a314190ece','48b7f2ce3111416791ee2d819f7f301b','amy',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('bec11968f9394c23900701137b8b5739','48b7f2ce3111416791ee2d819f7f301b','ben',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('b55fd1f0c7294278ae7ed6789855d0f4','48b7f2ce3111416791ee2d819f7f301b','cy',NULL,NULL);
CREATE TABLE submitted_notebook (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	notebook_id VARCHAR(32), 
	flagged BOOLEAN, 
	late_submission_penalty FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (notebook_id, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES submitted_assignment (id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "submitted_notebook" VALUES('5758dc2d08dd4863b4fb3164df5a24e8','8004a81d6ad0445e9e8bc8a314190ece','8b5dc9cda2b0461c99601d774c9c168f',0,NULL);
INSERT INTO "submitted_notebook" VALUES('49057fcb7daa484d88d0cf4061f360ef','bec11968f9394c23900701137b8b5739','8b5dc9cda2b0461c99601d774c9c168f',0,NULL);
INSERT INTO "submitted_notebook" VALUES('728c1198e71543db8dfc6ac63a267a03','b55fd1f0c7294278ae7ed6789855d0f4','8b5dc9cda2b0461c99601d774c9c168f',0,NULL);
CREATE TABLE task_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
CREATE INDEX ix_answer_now_comment ON answer_now (comment);
CREATE INDEX ix_mark_history_grade ON mark_history (grade);
CREATE TRIGGER grade_changed after update of manual_score on grade when old.manual_score is not new.manual_score begin 
insert into mark_history (grade, words, rubric, points, most, comment, at, items, marker, why)
select a.grade, a.words, a.rubric, g.manual_score, c.max_score, m.manual_comment, current_timestamp, a.items,
null, null from answer_now a join grade g on g.id = a.grade join grade_cells c on c.id = g.cell_id
left join comment m on m.id = a.comment where a.words is not null and  a.grade = new.id; end;
CREATE TRIGGER comment_changed after update of manual_comment on comment when old.manual_comment is not new.manual_comment begin 
insert into mark_history (grade, words, rubric, points, most, comment, at, items, marker, why)
select a.grade, a.words, a.rubric, g.manual_score, c.max_score, m.manual_comment, current_timestamp, a.items,
null, null from answer_now a join grade g on g.id = a.grade join grade_cells c on c.id = g.cell_id
left join comment m on m.id = a.comment where a.words is not null and  a.comment = new.id; end;
CREATE TRIGGER grade_removed after delete on grade begin delete from answer_now where grade = old.id; delete from answer_words where grade = old.id; delete from mark_history where grade = old.id; end;
COMMIT;