//! x
use std::hint::black_box; use std::time::Instant;
use discussions::{transcript::parse, workspace::*, provider::Environment};
fn main(){ let a:Vec<String>=std::env::args().collect(); let n:usize=a[3].parse().unwrap();
 let t=std::fs::read_to_string(&a[2]).unwrap();
 let s=Surroundings{folder:"/tmp".into(),user_folder:None,environment:Environment::new([("PATH","/nowhere")],None,"/tmp".into()),clock:std::sync::Arc::new(SystemClock)};
 let w=Workspace::open(s).unwrap();
 let mut v=vec![];
 for _ in 0..n{ let st=Instant::now(); match a[1].as_str(){
  "scan"=>{black_box(parse(black_box(&t)));}
  "md"=>{pulldown_cmark::Parser::new_ext(black_box(&t),pulldown_cmark::Options::ENABLE_TABLES|pulldown_cmark::Options::ENABLE_STRIKETHROUGH|pulldown_cmark::Options::ENABLE_TASKLISTS).for_each(|e|drop(black_box(e)));}
  "body"=>{let m=discussions::transcript::MarkerSet::default(); for e in parse(&t).entries{ if let discussions::transcript::EntryKind::Comment(c)=&e.kind{ black_box(c.read(&m)); }}}
  _=>{let d=w.load(a[2].as_ref()).unwrap(); d.with(&w,|s|{black_box(&s.state.turns);}).unwrap();}
 } v.push(st.elapsed().as_micros()); }
 v.sort(); println!("{} {} us  {:.0} MB/s",a[1],v[n/10],t.len() as f64/v[n/10] as f64);
}
